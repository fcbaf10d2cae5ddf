"""A cut of a phase's tasks into two or three parts, so that tasks that share a file stay together."""

from __future__ import annotations

from typing import Any

MOST_PARTS = 3
WEIGHT = {"simple": 1, "medium": 2, "complex": 3}

Task = dict[str, Any]


def propose(tasks: list[Task]) -> dict[str, Any]:
    """No part at all, and why, where there is nothing to cut."""
    together = bundles(tasks)
    if len(together) < 2:
        why = (
            "all tasks are tied to each other by the files they share"
            if len(tasks) > 1
            else "there is one task at most"
        )
        return {"reason": f"not cut: {why}", "sub_phases": []}
    parts = distribute(together, tasks)
    return {
        "reason": f"{len(tasks)} tasks in {len(parts)} parts; no file is named in two of them",
        "sub_phases": [
            {
                "name": title(part[0]),
                "scope": "; ".join(title(task) for task in part),
                "tasks": [str(task["id"]) for task in part],
            }
            for part in parts
        ],
    }


def bundles(tasks: list[Task]) -> list[list[Task]]:
    """Tasks tied by files, directly or through others."""
    found: list[tuple[set[str], list[Task]]] = []
    for task in tasks:
        files, members = set(map(str, task.get("files", ()))), [task]
        for bundle in [each for each in found if each[0] & files]:
            found.remove(bundle)
            files, members = files | bundle[0], bundle[1] + members
        found.append((files, members))
    return [members for _, members in found]


def distribute(together: list[list[Task]], tasks: list[Task]) -> list[list[Task]]:
    """The heaviest bundle first, each to the part that has least; then everything in the plan's order again."""
    parts: list[list[Task]] = [[] for _ in range(min(MOST_PARTS, len(together)))]
    for bundle in sorted(together, key=weight, reverse=True):
        min(parts, key=weight).extend(bundle)
    ordered = [sorted(part, key=tasks.index) for part in parts]
    return sorted(ordered, key=lambda part: tasks.index(part[0]))


def weight(tasks: list[Task]) -> int:
    return sum(WEIGHT.get(str(task.get("complexity")), 1) for task in tasks)


def title(task: Task) -> str:
    return str(task.get("title") or task["id"])
