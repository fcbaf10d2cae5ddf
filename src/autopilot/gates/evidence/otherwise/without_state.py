"""Does the product answer where nothing was kept for it yet? Who uses it begins without what its author's runs left."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

import msgspec
from msgspec import Struct

from autopilot.gates.evidence.sabotage import Trial, is_killed
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import TestReport

LONGEST = 1_000_000  # of a file whose JSON is read: brackets alone take twenty times their size of memory
MOST_QUESTIONS, MOST_SEARCHED = 300, 4_000_000  # of the tests, and bytes of a file that each is looked for in
FEWEST = 2  # questions of the tests that stand in a file
_STORES = (".db", ".sqlite", ".sqlite3", ".pickle", ".pkl", ".dbm", ".shelve", ".mdb", ".rdb")
_STATE = re.compile(r"(?<![a-z])(?:cached?|memo|state|history|session|answers?|responses?)(?![a-z])", re.IGNORECASE)
_HEADS = (b"SQLite format 3\0", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_WRITES = re.compile(
    r"\bdump\(|write_(?:text|bytes)\(|\bopen\([^)\n]{0,200}[\"'][wax]b?\+?[\"']|writeFile|createWriteStream|"
    r"sqlite3?\b|\bshelve\b|\bdbm\b|os\.(?:WriteFile|Create)\(|fs::write|File::create|>>?\s{0,3}[\"']?\$"
)
_QUESTION = re.compile(r"\"([^\"\\\n]{4,80})\"|'([^'\\\n]{4,80})'")


class State(Struct, frozen=True):
    """A file that came with the work and that the product may keep answers in."""

    path: str
    is_store: bool  # by its form or by what it is called; else the new code that names it writes something
    asked: int  # questions of the tests that stand in it
    declared: bool  # by the plan or by the user's words


def find_state(
    path: str, content: bytes, code: Mapping[str, Sequence[str]], tests: Sequence[str], *, declared: bool
) -> State | None:
    """``code``: new lines by file. What looks like no state is a resource, which is needed as it is."""
    name = path.rpartition("/")[2]
    naming = ["\n".join(lines) for lines in code.values() if any(name in line for line in lines)]
    is_store = name.endswith(_STORES) or content.startswith(_HEADS) or _STATE.search(path) is not None
    if not is_store and not any(_WRITES.search(code_lines) for code_lines in naming):
        return None
    found = (text for test in tests for found in _QUESTION.findall(test) for text in found if text)
    questions = islice(dict.fromkeys(found), MOST_QUESTIONS)
    searched = content[:MOST_SEARCHED]
    asked = sum(question.encode() in searched for question in questions)
    return State(path, is_store, asked, declared)


def empty_like(content: bytes) -> bytes | None:
    """What a program begins with that finds its file there: a list or a mapping of nothing. None of what is no JSON,
    and of what is too large to be read."""
    try:
        known = msgspec.json.decode(content) if len(content) <= LONGEST else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return b"[]\n" if isinstance(known, list) else b"{}\n" if isinstance(known, Mapping) else None


def judge_without_state(
    subject: str, green: TestReport | None, states: Sequence[State], trials: Sequence[Trial], written: Collection[str]
) -> tuple[Objection, ...]:
    """``trials``: the same check without these files, and with nothing in them, which had ``written`` some of them. A
    cache is not missed; a template beside code that writes a page is needed, and no run writes it."""
    states = [state for state in states if state.is_store or state.path in written]
    if (
        not states
        or not trials
        or any(trial.seen is not Seen.FAILED or not is_killed(green, trial) for trial in trials)
    ):
        return ()
    named = ", ".join(state.path for state in states[:3])
    known = any((state.path in written or state.asked >= FEWEST) and not state.declared for state in states)
    observed = f"it holds only with what the work has kept in {named}: red with nothing there"
    satisfy = "let the code compute what it keeps, or name the file in the roadmap or the plan, where it is data"
    weight = Weight.REFUSE if known else Weight.FLAG
    return (Objection(Layer.HELD_OUT, subject, observed, states[0].path, satisfy, weight),)
