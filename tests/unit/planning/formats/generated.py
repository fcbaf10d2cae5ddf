"""Planning files made at random: odd spaces, line endings, scripts, fences, marks and orders of keys."""

from __future__ import annotations

import json
from random import Random

WORDS = (
    "boil",
    "Kettle",
    "茶を注ぐ",
    "`make tea`",
    "[x]",
    "Tasse à thé",
    "**bold**",
    "a: b",
    "<b>",
    "status: Done",
    "#",
    "🫖",
    "\udcff",
)
MARKS = ("[ ]", "[x]", "[X]", "[-]", "[~]", "[]")


def words(chance: Random, most: int = 5) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, most)))


def ended(chance: Random, lines: list[str]) -> str:
    end = chance.choice(("\n", "\r\n"))
    return end.join(lines) + chance.choice(("", end))


def box_list(chance: Random, star: bool = False) -> list[str]:
    """Boxes of all kinds, some below others, between headings, prose and examples."""
    lines: list[str] = []
    for section in range(1, chance.randint(2, 4)):
        lines.append(f"## {section}. {words(chance)}")
        for task in range(1, chance.randint(2, 5)):
            bullet = chance.choice(("-", "*", "+"))
            optional = "*" if star and chance.random() < 0.2 else ""
            number = chance.choice((f"{section}.{task} ", f"**{section}.{task}** ", ""))
            lines.append(
                f"{bullet} {chance.choice(MARKS)}{optional} {number}{words(chance)}{' ' * chance.randint(0, 2)}"
            )
            for _ in range(chance.randint(0, 2)):
                lines.append(f"  {bullet} {chance.choice((chance.choice(MARKS) + ' ', ''))}{words(chance)}")
        lines += chance.choice(([], ["", words(chance)], ["```", "- [ ] an example", "```"], ["<!-- - [ ] hidden -->"]))
    return lines


def openspec(chance: Random) -> dict[str, str]:
    names = chance.sample(("add-a", "fix-b", "B", "茶", "all", "2-c"), chance.randint(1, 4))
    folders = [f"openspec/changes/{chance.choice(('', 'archive/2026-01-01-'))}{name}" for name in names]
    texts = {f"{folder}/tasks.md": ended(chance, box_list(chance)) for folder in folders}
    return texts | {f"{folder}/proposal.md": f"## Why\n{words(chance)}\n" for folder in folders}


def kiro(chance: Random) -> dict[str, str]:
    names = chance.sample(("tea", "1-cup", "pot", "茶"), chance.randint(1, 3))
    return {f".kiro/specs/{name}/tasks.md": ended(chance, box_list(chance, star=True)) for name in names}


def checklist(chance: Random) -> dict[str, str]:
    return {"TODO.md": ended(chance, box_list(chance))}


def backlog(chance: Random) -> dict[str, str]:
    statuses = chance.choice((["To Do", "In Progress", "Done"], ["Offen", "Fertig ✓"], ["a", "b: c", "yes"]))
    texts = {"backlog/config.yml": f"statuses: {json.dumps(statuses, ensure_ascii=False)}\n"}
    for number in range(1, chance.randint(2, 7)):
        parent = chance.randint(1, number)
        front = [f"id: TASK-{number}" if parent == number else f"id: TASK-{parent}.{number}", f"title: '{number}'"]
        status = chance.choice(statuses)
        front += chance.choice(
            ([f"status: '{status}'  # a remark"], [f'status: "{status}"'], [f"status: '{status}'"], [])
        )
        front += [f"dependencies: [TASK-{chance.randint(1, 7)}]", "x: &a [1]", "y: |", "  status: no"]
        body = ["---", "", "## Description", words(chance), "## Acceptance Criteria", "<!-- AC:BEGIN -->"]
        body += [f"- {chance.choice(MARKS)} #{place} {words(chance)}" for place in range(1, chance.randint(1, 4))]
        body += ["<!-- AC:END -->", "## Notes", *box_list(chance)]
        texts[f"backlog/tasks/task-{number} - {number}.md"] = ended(chance, ["---", *front, *body])
    return texts


def ralph(chance: Random) -> dict[str, str]:
    stories = []
    for number in range(1, chance.randint(2, 6)):
        story: dict[str, object] = {
            "id": chance.choice((f"US-{number:03}", number)),
            "title": words(chance).replace("\udcff", ""),
        }
        story |= chance.choice(({"passes": False}, {"passes": True}, {"complete": False}, {"status": "todo"}, {}))
        story |= {"notes": '"passes": false}', "priority": chance.randint(1, 3)}
        stories.append(dict(chance.sample(list(story.items()), len(story))))
    data = chance.choice((stories, {"project": "x", "userStories": stories}, {"stories": stories, "n": [1, {}]}))
    text = json.dumps(data, indent=chance.choice((None, 2, "\t")), ensure_ascii=chance.random() < 0.5)
    return {"prd.json": ("\ufeff" if chance.random() < 0.2 else "") + ended(chance, text.split("\n"))}
