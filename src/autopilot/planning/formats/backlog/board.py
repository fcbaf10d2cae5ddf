"""Backlog.md: a file for each task, a parent with its children a phase; done is the last status of its config."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.standing import Stand
from autopilot.planning.formats.backlog.task import TaskFile, parse_id, parse_task_file
from autopilot.planning.formats.found import Piece, Reading, Step
from autopilot.text.frontmatter import parse_mapping

_STATUSES = ("To Do", "In Progress", "Done")
_PRIORITIES = {"high": 0, "medium": 1, "low": 2}
_CONFIGS = ("config.yml", "config.yaml")
ROOT_CONFIG = "backlog.config.yml"
FOLDERS = ("backlog", ".backlog")
_KEPT_IN = ("tasks", "completed", "archive")  # ids of archived tasks are given again: what is at work counts
_GOAL = 1_500  # characters


class _Board(Struct):
    """The tasks that were read, and what is said of them."""

    statuses: tuple[str, ...]
    tasks: dict[str, TaskFile]  # by id, in the order of the files
    stands: dict[str, Stand]
    message: dict[str, str]  # what decided how a task stands
    complaints: list[Complaint]
    one_prefix: bool = True

    @property
    def done(self) -> str:
        return self.statuses[-1]


def read_backlog(texts: Mapping[str, str]) -> Reading:
    board = _read_board(texts)
    children: dict[str, list[TaskFile]] = {}
    owners = _owners(board)
    for id, task in board.tasks.items():
        if owners[id] != id:
            children.setdefault(owners[id], []).append(task)
    roots = sorted((task for id, task in board.tasks.items() if owners[id] == id), key=_order)
    pieces = [_piece(task, _in_turn(children.get(str(task.id), ())), owners, board) for task in roots]
    return Reading(folder_of(texts), tuple(pieces), tuple(board.complaints))


def find_backlog(paths: Sequence[str]) -> tuple[str, ...]:
    """The files of the first folder that has a task."""
    for root in FOLDERS:
        tasks = [path for path in paths if path.startswith(f"{root}/") and path.endswith(".md") and _folder(path)]
        configs = [path for path in paths if path == ROOT_CONFIG or path in (f"{root}/{name}" for name in _CONFIGS)]
        if tasks and configs:
            return tuple(sorted((*configs, *tasks)))
    return ()


def statuses_of(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Those of the config, the one at the root before one in the folder; the last of them means done."""
    configs = sorted(path for path in texts if PurePosixPath(path).name in (*_CONFIGS, ROOT_CONFIG))
    found = (parse_mapping(texts[path]).list_of("statuses") for path in sorted(configs, key=lambda p: p != ROOT_CONFIG))
    return next((statuses for statuses in found if statuses), _STATUSES)


def folder_of(texts: Mapping[str, str]) -> str:
    return next((root for root in FOLDERS if any(path.startswith(f"{root}/") for path in texts)), FOLDERS[0])


def _read_board(texts: Mapping[str, str]) -> _Board:
    board = _Board(statuses_of(texts), {}, {}, {}, [])
    files = [(folder, path) for path in sorted(texts) if path.endswith(".md") and (folder := _folder(path))]
    for folder, path in sorted(files, key=lambda file: _KEPT_IN.index(file[0])):
        _read_file(board, path, texts[path], folder)
    board.one_prefix = len({task.id.prefix for task in board.tasks.values()}) < 2
    return board


def _folder(path: str) -> str:
    """``tasks``, ``completed`` or ``archive``; "" for everything else, drafts among it."""
    parents = PurePosixPath(path).parts[:-1]
    if parents[-2:] == ("archive", "tasks"):
        return "archive"
    return parents[-1] if parents and parents[-1] in ("tasks", "completed") else ""


def _read_file(board: _Board, path: str, text: str, folder: str) -> None:
    task = parse_task_file(text, path)
    if isinstance(task, str):
        board.complaints.append(Complaint(path, 0, task))
        return
    id = str(task.id)
    if first := board.tasks.get(id):
        board.complaints.append(Complaint(path, task.line_of("id"), f"{id} is also the id of {first.path}: not read"))
        return
    board.tasks[id] = task
    board.stands[id], board.message[id] = _stand(board, task, folder)


def _stand(board: _Board, task: TaskFile, folder: str) -> tuple[Stand, str]:
    status = task.front.text_of("status")
    if folder == "completed":
        return Stand.DONE, f"in completed/, {status}"
    if folder == "archive":
        return Stand.DROPPED, f"in archive/, {status}"
    known = {word.lower() for word in board.statuses}
    if status.lower() not in known:
        message = f"the status `{status[:40]}` is not one of {', '.join(board.statuses)}: taken as open"
        board.complaints.append(Complaint(task.path, task.line_of("status"), message))
    return (Stand.DONE if status.lower() == board.done.lower() else Stand.OPEN), status


def _owners(board: _Board) -> dict[str, str]:
    """By id the task that it belongs to in the end: its parent's parent, or itself. Each is gone through once."""
    found: dict[str, str] = {}
    circling: set[str] = set()
    for task in board.tasks.values():
        way: dict[str, TaskFile] = {}
        current: TaskFile | None = task
        last = str(task.id)
        while current is not None and last not in found and last not in way:
            way[last] = current
            if (current := _above(current, board)) is not None:
                last = str(current.id)
        if last in circling or (current is not None and last in way):
            circling.update(way)
            found |= {id: id for id in way}
            message = "its parents go round in a circle"
            board.complaints += [Complaint(t.path, t.line_of("parent_task_id"), message) for t in way.values()]
        else:
            found |= dict.fromkeys(way, found.get(last, last))
    return found


def _above(task: TaskFile, board: _Board) -> TaskFile | None:
    named = task.front.text_of("parent_task_id")
    parent = parse_id(named) if named else task.id.parent
    if parent is None:
        return None
    if (above := board.tasks.get(str(parent))) is None:
        message = f"its parent {named or parent} is not there: read as a task of its own"
        line = task.line_of("parent_task_id") or task.line_of("id")
        board.complaints.append(Complaint(task.path, line, message))
    return above


def _piece(task: TaskFile, children: Sequence[TaskFile], owners: Mapping[str, str], board: _Board) -> Piece:
    stand, because, against = _standing(task, children, board)
    return Piece(
        key=_key(task, board),
        name=task.title,
        goal=task.description[:_GOAL],
        stand=stand,
        because=because,
        against=against,
        needs=tuple(_key(board.tasks[id], board) for id in _needs((task, *children), owners, board)),
        criteria=task.criteria,
        steps=tuple(_step(child, board) for child in children),
        path=task.path,
        line=task.line_of("status") or 1,
        specs=(task.path, *(child.path for child in children)),
    )


def _standing(task: TaskFile, children: Sequence[TaskFile], board: _Board) -> tuple[Stand, str, tuple[str, ...]]:
    """Done is what is done with all its children: each of them is a piece of work that the board shows."""
    id = str(task.id)
    stand, word = board.stands[id], f"{task.id} is {board.message[id]}"
    still = [child for child in children if board.stands[str(child.id)] is Stand.OPEN]
    if stand is Stand.DONE and still:
        named = ", ".join(f"{child.id} is {board.message[str(child.id)]}" for child in still[:3])
        return Stand.OPEN, named, (word,)
    return stand, word, ()


def _step(child: TaskFile, board: _Board) -> Step:
    stand = board.stands[str(child.id)]
    return Step(
        key=child.id.number,
        name=child.title,
        detail="\n\n".join(part for part in (child.description, child.plan) if part),
        done=stand is Stand.DONE,
        held="archived" if stand is Stand.DROPPED else "",
        path=child.path,
        line=child.line_of("status") or 1,
        criteria=child.criteria,
    )


def _needs(tasks: Sequence[TaskFile], owners: Mapping[str, str], board: _Board) -> tuple[str, ...]:
    """The phases that any of these tasks waits for; what is not there is dropped, and said."""
    own = owners[str(tasks[0].id)]
    found: dict[str, None] = {}
    for task in tasks:
        for word in task.front.list_of("dependencies"):
            id = parse_id(word) or parse_id(f"{task.id.prefix}-{word}")
            if id is None or str(id) not in owners:
                message = f"depends on {word[:40]}, which is not there: ignored"
                board.complaints.append(Complaint(task.path, task.line_of("dependencies"), message))
            elif str(id) == str(task.id):
                board.complaints.append(
                    Complaint(task.path, task.line_of("dependencies"), "depends on itself: ignored")
                )
            elif owners[str(id)] != own:
                found[owners[str(id)]] = None
    return tuple(found)


def _key(task: TaskFile, board: _Board) -> str:
    """The number alone, where one prefix is used throughout: `autopilot run 12`."""
    return task.id.number if board.one_prefix else str(task.id)


def _in_turn(children: Sequence[TaskFile]) -> list[TaskFile]:
    """Each after those that it depends on, otherwise in their order; a circle is cut where it closes."""
    ordered = sorted(children, key=_order)
    known = {str(child.id): child for child in ordered}
    turns: dict[str, TaskFile] = {}
    begun: set[str] = set()
    pending = [str(child.id) for child in reversed(ordered)]
    while pending:
        id = pending[-1]
        needs = (str(found) for word in known[id].front.list_of("dependencies") if (found := parse_id(word)))
        waits = [need for need in needs if need in known and need not in begun and need != id]
        begun.add(id)
        if waits:
            pending += reversed(waits)
        else:
            turns.setdefault(id, known[pending.pop()])
    return list(turns.values())


def _order(task: TaskFile) -> tuple[float, int, tuple[int, ...]]:
    ordinal = task.front.text_of("ordinal")
    place = float(ordinal) if ordinal.isascii() and ordinal.isdigit() and len(ordinal) < 16 else float("inf")
    priority = _PRIORITIES.get(task.front.text_of("priority").lower(), len(_PRIORITIES))
    return place, priority, tuple(int(part) for part in task.id.number.split("."))
