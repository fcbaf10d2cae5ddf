"""Splits the tasks of a phase into two or three parts; tasks that share a file stay together."""

from __future__ import annotations

from autopilot.simulation.honest.plain import Any

MOST_PARTS = 3
WEIGHT = {"simple": 1, "medium": 2, "complex": 3}

Task = dict[str, Any]


def propose(tasks: list[Task]) -> dict[str, Any]:
    """The parts, or no parts and the reason when the tasks cannot be split."""
    groups = group_by_files(tasks)
    if len(groups) < 2:
        reason = (
            "all tasks are tied to each other by the files they share"
            if len(tasks) > 1
            else "there is one task at most"
        )
        return {"reason": f"not cut: {reason}", "sub_phases": []}
    parts = distribute_groups(groups, tasks)
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


def group_by_files(tasks: list[Task]) -> list[list[Task]]:
    """Groups of tasks that share files, directly or indirectly."""
    found: list[tuple[set[str], list[Task]]] = []
    for task in tasks:
        files, members = set(map(str, task.get("files", ()))), [task]
        for group in [group for group in found if group[0] & files]:
            found.remove(group)
            files, members = files | group[0], group[1] + members
        found.append((files, members))
    return [members for _, members in found]


def distribute_groups(groups: list[list[Task]], tasks: list[Task]) -> list[list[Task]]:
    """Assign the largest group first, each to the smallest part; then restore the order of the plan."""
    parts: list[list[Task]] = [[] for _ in range(min(MOST_PARTS, len(groups)))]
    for group in sorted(groups, key=weight, reverse=True):
        min(parts, key=weight).extend(group)
    ordered = [sorted(part, key=tasks.index) for part in parts]
    return sorted(ordered, key=lambda part: tasks.index(part[0]))


def weight(tasks: list[Task]) -> int:
    return sum(WEIGHT.get(str(task.get("complexity")), 1) for task in tasks)


def title(task: Task) -> str:
    return str(task.get("title") or task["id"])
