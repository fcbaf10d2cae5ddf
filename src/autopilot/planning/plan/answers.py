"""How a plan says that what the owner asks for is checked: the rows ``SC-n`` of its traceability table.

The second cell of such a row names tasks or criteria of the plan, or ``reviewer: why``, or ``person: why``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from autopilot.model.planning.plan import Plan, Task
from autopilot.model.planning.promise import Answer, Promise
from autopilot.planning.plan.traceability import is_task, speaks_of, traceability_cells
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line

_NAME = lazy_regex(r"(?<![\w-])(SC|MH)-?0{0,4}([1-9][0-9]{0,3})(?![\w.-])", re.IGNORECASE)
_OPINION = lazy_regex(r"(reviewers?|person|human|people)(?![\w-])\s*+[:–—-]*+\s*+(.*)", re.IGNORECASE | re.DOTALL)
# A criterion of a task by its id: it names no other of that task's.
_CRITERION = lazy_regex(r"(?<![\w.-])[\w][\w.-]{0,80}\.[csk][0-9]{1,3}(?!\w)", re.IGNORECASE)
_TASK = lazy_regex(r"(?<![\w.-])[0-9][0-9A-Za-z.]{0,30}+(?:-[0-9][0-9A-Za-z.]{0,30}+){1,8}(?![\w-])")
_PADDED = lazy_regex(r"(?:\A|-)0[0-9]")
_ALL = lazy_regex(r"(?:all|every)(?: of)?(?: the(?:m|se)?)?(?: tasks?)?", re.IGNORECASE)
_BETWEEN = lazy_regex(r"[\s,;&+/`*()\[\]]+")
_FILLERS = frozenset({"and", "task", "tasks", "criterion", "criteria", "plan", "plans"})
# Whole sentences: "still" or "compiles" within one says nothing of what was there ("is still logged in on return").
_STATE = r"(?:pass(?:es)?|succeeds?|works?|(?:is|are|stays?|remains?) (?:green|clean|intact|unchanged))"
_STAYS = lazy_regex(
    r"(?:the |our )?(?:"
    r"(?:(?:project|code(?:base)?|app(?:lication)?|program|everything|it|repository|workspace) )?"
    r"(?:still )?(?:compiles|builds|type[- ]?checks|lints)|"
    rf"(?:build|compilation|lint(?:er|ing)?|type[- ]?check(?:s|er|ing)?|ci|(?:existing |full |whole )?test suite) "
    rf"(?:still )?{_STATE}|"
    rf"(?:all |every |all the |all of the )?(?:existing |old |unit |previous )*tests? (?:still )?{_STATE}|"
    rf"(?:all )?existing [\w-]{{1,30}}(?: [\w-]{{1,30}})? (?:still )?{_STATE}|"
    r"(?:there are )?no (?:test )?regressions?(?: (?:in|of|to|for) [\w' /-]{1,80})?"
    r")(?: without (?:any )?(?:new )?(?:errors?|warnings?)| with no (?:new )?(?:errors?|warnings?)| cleanly)?",
    re.IGNORECASE,
)
_JOINT = lazy_regex(r",? and |[,;] ")
_LONGEST = 500  # of a cell in which names are looked for
_QUOTED = 60  # of a cell that names nothing


def parse_answers(lines: Sequence[Line], ids: Sequence[str], path: str) -> tuple[Answer, ...]:
    """As written: what a row names is looked up when all plan files of the phase are known (``resolve_answers``)."""
    return tuple(answer for line, cells in traceability_cells(lines) for answer in _answers(line, cells, ids, path))


def _answers(line: Line, cells: Sequence[str], ids: Sequence[str], path: str) -> Iterator[Answer]:
    if len(cells) < 2:
        return
    for found in _NAME.finditer(cells[0][:_LONGEST]):
        name, opinion = f"{found[1].upper()}-{found[2]}", _OPINION.match(cells[1])
        if opinion is None:
            refs = _refs(cells[1], ids)
            unknown = () if refs or not _BETWEEN.sub("", cells[1]).strip("–—-") else (repr(cells[1][:_QUOTED]),)
            yield Answer(name, refs, unknown=unknown, path=path, line=line.number)
        elif opinion[1].lower().startswith("reviewer"):
            yield Answer(name, reviewer=_reason(opinion[2]), path=path, line=line.number)
        else:
            yield Answer(name, person=_reason(opinion[2]), path=path, line=line.number)


def _refs(cell: str, ids: Sequence[str]) -> tuple[str, ...]:
    """ "All", or ids and nothing else; of a sentence only full ids: "by hand on 1 device" names no task."""
    short = cell[:_LONGEST]
    if _ALL.fullmatch(" ".join(short.split()).strip("`*. ")):
        return tuple(ids)
    criteria = _CRITERION.findall(short)
    rest = _CRITERION.sub(" ", short)
    known = {id.casefold() for id in ids}
    parts = [part.strip(".:") for part in _BETWEEN.split(rest)]
    named = [part for part in parts if part and part.casefold() not in _FILLERS]
    if not all(word.casefold() in known or word.isdecimal() or _TASK.fullmatch(word) for word in named):
        named = [word for word in _TASK.findall(rest) if word.casefold() in known or _PADDED.search(word)]
    return tuple(dict.fromkeys((*criteria, *named)))


def _reason(text: str) -> str:
    """Kept as "-" where there is none, so that the row is not taken for one that is not there."""
    return " ".join(text.split()) or "-"


def resolve_answers(
    plans: Sequence[Plan], tasks: Sequence[Task], asked: Sequence[Promise], requirements: Sequence[str]
) -> tuple[Answer, ...]:
    """Every row with the ids of the criteria that it means; a requirement's row means what its tasks promise.

    A plan whose front matter lists a requirement answers for it with all its tasks.
    """
    kept = {promise.name for promise in asked if is_kept(promise)}
    written = [replace(answer, kept=answer.name in kept) for plan in plans for answer in plan.answers]
    traced = [
        Answer(name, refs, path=plan.path, line=plan.traceability_line)
        for plan in plans
        for cell, refs in plan.traceability
        for name in requirements
        if speaks_of(cell, name)
    ]
    traced += [
        Answer(name, tuple(task.id for task in plan.tasks), path=plan.path)
        for plan in plans
        for name in requirements
        if any(speaks_of(listed, name) for listed in plan.requirements)
    ]
    return tuple(_resolve(answer, tasks) for answer in (*written, *traced))


def is_kept(promise: Promise) -> bool:
    """ "All existing tests still pass" is about what was there, and holds before the work."""
    if promise.criterion is not None and not promise.criterion.is_new:
        return True
    text = " ".join(promise.text.split()).strip("`*. ")
    return len(text) <= _LONGEST and all(_STAYS.fullmatch(part) for part in _JOINT.split(text))


def _resolve(answer: Answer, tasks: Sequence[Task]) -> Answer:
    by: list[str] = []
    unknown: list[str] = []
    for ref in answer.by:
        meant = [id for task in tasks for id in task.promises if id.casefold() == ref.casefold()]
        meant = meant or [id for task in tasks if is_task(ref, [task.id]) for id in task.promises]
        by += meant
        unknown += [] if meant else [ref]
    return replace(answer, by=tuple(dict.fromkeys(by)), unknown=(*answer.unknown, *unknown))
