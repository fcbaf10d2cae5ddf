"""Which files of a phase's folder are plans, and what their tasks are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable
from pathlib import PurePosixPath

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, folder_prefix
from autopilot.text.lazy_regex import lazy_regex

SUPPLEMENT = "PLAN.autopilot.md"  # what a user's plan lacks, written beside it; not a plan by itself
_CODE = rf"(?:[A-Z]{{1,6}}-)?{ID}"
# 01-02-PLAN.md, 01-02-backend-PLAN.md, 01-PLAN.md; 01-PLAN-02-slug.md, 01-PLAN-A.md, PLAN-02.md
_NAMED = lazy_regex(rf"{_CODE}(?:-([0-9]{{1,6}}[A-Za-z]?))?(-[A-Za-z][\w.-]*)?-PLAN\.md\Z", re.IGNORECASE)
_AFTER = lazy_regex(rf"(?:{_CODE}-)?PLAN-([0-9]{{1,6}}[A-Za-z]?|[A-Z])(?:-[^/]*)?\.md\Z")
_OTHER = lazy_regex(r"[^/]+-PLAN\.md\Z")
_FOLDER_NUMBER = lazy_regex(rf"{_CODE}-([0-9]{{1,6}}[A-Za-z]?)(?:-.*)?\Z")
_IGNORED = lazy_regex(r"-OUTLINE\.md\Z|\.pre-bounce\.md\Z", re.IGNORECASE)
_REPORT = lazy_regex(r"-(?:SUMMARY|VERIFICATION|REVIEW|CHECK)\.md\Z", re.IGNORECASE)
_NO_PLAN = lazy_regex(r"(?:CHECK|REVIEW|SUMMARY|VERIFICATION|OUTLINE|RESEARCH)", re.IGNORECASE)


def find_plans(paths: Iterable[str], folder: str) -> tuple[str, ...]:
    """The plan files of a phase folder in the order they are worked: ``PLAN.md`` first, then by number.

    Plans may lie in ``plans/``, or each in a folder of its own. A name without a number (``backend-PLAN.md``) counts
    only where no plan has one: beside numbered plans it is a note.
    """
    named, other = [], []
    for path in paths:
        inside = PurePosixPath(path[len(folder) + 1 :] if path.startswith(f"{folder}/") else "")
        if not inside.parts or _IGNORED.search(inside.name) or is_supplement(path):
            continue
        direct = len(inside.parts) == 1 or (len(inside.parts) == 2 and inside.parts[0] == "plans")
        alone = len(inside.parts) == 2 and inside.name == "PLAN.md" and _FOLDER_NUMBER.match(inside.parts[0])
        if alone or (direct and _is_plan(inside.name)):
            named.append(path)
        elif direct and _OTHER.match(inside.name):
            other.append(path)
    return tuple(sorted(named or other, key=lambda path: (_natural(plan_number(path)), path)))


def looks_like_plan(path: str) -> bool:
    """Whether a file that is not read as a plan might be meant as one."""
    name = PurePosixPath(path).name
    about = _NO_PLAN.search(name) or _IGNORED.search(name) or is_supplement(path)
    return name.endswith(".md") and not about and re.search(r"(?<![A-Za-z])PLAN(?![A-Za-z])", name) is not None


def plan_number(path: str) -> str:
    """The "02" of ``01-02-PLAN.md``; "" for a phase's only plan."""
    name = PurePosixPath(path).name
    if found := _NAMED.match(name) or _AFTER.match(name):
        return found[1] or ""
    alone = _FOLDER_NUMBER.match(PurePosixPath(path).parent.name)
    return alone[1] if alone and name == "PLAN.md" else ""


def summary_of(path: str) -> str:
    """Where GSD writes what came of one plan of several: ``01-02-SUMMARY.md`` beside ``01-02-PLAN.md``; "" for none."""
    return f"{path.removesuffix('PLAN.md')}SUMMARY.md" if plan_number(path) and path.endswith("-PLAN.md") else ""


def find_carried_out(plans: Collection[str], files: Container[str]) -> frozenset[str]:
    """The plan files that a summary follows, where not all of the phase's do: by their author's word."""
    done = frozenset(path for path in plans if summary_of(path) in files)
    return done if len(done) < len(plans) else frozenset()


def _is_plan(name: str) -> bool:
    if _REPORT.search(name):  # 01-PLAN-02-SUMMARY.md
        return False
    return name.upper() == "PLAN.MD" or bool(_NAMED.match(name) or _AFTER.match(name))


def is_supplement(path: str) -> bool:
    return PurePosixPath(path).name == SUPPLEMENT


def built_task_id(path: str, phase: PhaseId, ordinal: int) -> str:
    """A task's id when its author gave none.

    Third task of ``01-02-PLAN.md``: "01-02.3"; of a phase's only plan: "01-03", as the sources number them. A
    supplement speaks about tasks of others: there a number made up by us would name one it does not mean.
    """
    if is_supplement(path):
        return f"unnamed-{ordinal}"
    named = _NAMED.match(PurePosixPath(path).name)
    # Two plans of one number ("02-01-api", "02-01-web") must not give their tasks the same ids.
    key = plan_number(path) + ((named[2] or "") if named else "")
    return f"{folder_prefix(phase)}-{key.lstrip('-')}.{ordinal}" if key else f"{folder_prefix(phase)}-{ordinal:02d}"


def _natural(number: str) -> tuple[int, str]:
    digits = re.match(r"[0-9]*", number)
    return (int(digits[0]) if digits and digits[0] else -1), number
