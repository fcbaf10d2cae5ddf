"""Roadmaps in the many forms that people write them, drawn at random."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("Kettle", "Cups & Saucers", "Чайник", "Tea (green)", "Sugar — brown", "Milk | oat", "お茶", "Phase of rest")


@st.composite
def roadmaps(draw: st.DrawFn) -> str:
    """A whole file: checklist, sections, table, footer, each in one of its usual forms, or left out."""
    count = draw(st.integers(2, 6))
    first = draw(st.sampled_from([1, 1, 8, 30]))
    padded = draw(st.booleans())
    numbers: list[str] = []
    for number in range(first, first + count):
        numbers.append(f"{number:02d}" if padded else str(number))
        if draw(st.integers(0, 4)) == 0:
            numbers += [f"{numbers[-1]}.{part}" for part in range(1, draw(st.integers(2, 3)))]
    names = {number: draw(st.sampled_from(NAMES)) for number in numbers}
    blocks = [["# Roadmap: Teahouse", "", "Version 1.6 of 2026-06-01 serves 10-20 guests."]]
    if draw(st.booleans()):
        blocks.append(["## Phases", "", *(f"- [ ] **Phase {n}: {names[n]}** - hot" for n in numbers)])
    sections = [_section(draw, number, numbers, names) for number in numbers]
    rule = ["---"] if draw(st.booleans()) else []
    blocks.append(["## Phase Details"])
    for section in sections:
        blocks += [section, rule] if rule else [section]
    if draw(st.booleans()):
        rows = [f"| {n}. {names[n].replace('|', '/')} | 0/1 | Not started | - |" for n in numbers]
        head = ["| Phase | Plans Complete | Status | Completed |", "|---|---|---|---|"]
        order = f"Phases execute in numeric order: {' → '.join(n.lstrip('0') for n in numbers)}"
        blocks.append(["## Progress", "", order, "", *head, *rows])
    elif draw(st.booleans()):
        blocks.append(["---", "*Last updated: 2026-06-01*"])
    text = "\n\n".join("\n".join(block) for block in blocks) + draw(st.sampled_from(["\n", "", "\n\n"]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def _section(draw: st.DrawFn, number: str, numbers: list[str], names: dict[str, str]) -> list[str]:
    earlier = numbers[: numbers.index(number)]
    needed = draw(st.lists(st.sampled_from(earlier), max_size=2, unique=True)) if earlier else []
    written = draw(st.sampled_from(["Phase {}", "{}", "Phase {} (hot water)"]))
    depends = ", ".join(written.format(id) for id in needed) or "Nothing"
    goal = draw(st.sampled_from(["Water boils", "Better than Phase {} at 10-20 cups", "Tea in 7 minutes"]))
    mentioned = draw(st.sampled_from(numbers))
    # Two digits, as GSD names plans: of a plan "9-01" that became "10-01" nothing tells how it was written before.
    whole, dot, decimals = number.partition(".")
    padded = f"{whole.zfill(2)}{dot}{decimals}"
    return [
        f"### Phase {number}: {names[number]}" + (" (INSERTED)" if "." in number else ""),
        f"**Goal**: {goal.format(mentioned)}",
        f"**Depends on**: {depends}",
        "**Success Criteria** (what must be TRUE):",
        '  1. It whistles -- verified by: `./kettle 6` (contains "06-01")',
        *(["**Plans**: 1 plan", "", "Plans:", f"- [ ] {padded}-01: heat it"] if draw(st.booleans()) else []),
    ]
