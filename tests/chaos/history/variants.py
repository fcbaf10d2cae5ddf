"""What an agent may do about an issue from history: the fix as it was made, and three that only look like one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.chaos.history.archives import files_of
from tests.chaos.history.edits import HARD_CODED, WEAKENED, Edit
from tests.chaos.history.fixes import FIXES, Fix, Hunks
from tests.chaos.history.hunks import take_hunks

Texts = Mapping[str, str]


class Variant(NamedTuple):
    """One agent's work. Every one begins with the true reproduction: it is what somebody agreed to."""

    name: str
    writes: Texts  # files in place of those that were there
    is_true: bool = False


class Case(NamedTuple):
    fix: Fix
    base: Mapping[str, bytes]  # the release before
    reproduction: Texts  # its tests as the fix brought them
    variants: tuple[Variant, ...]


TRUE_FIX, NO_OP, WEAKENED_TEST, HARD_CODED_ANSWER = "true fix", "no-op", "test weakened", "answer hard-coded"
NAMES = (TRUE_FIX, NO_OP, WEAKENED_TEST, HARD_CODED_ANSWER)
LIES = NAMES[1:]


def make_case(fix: Fix) -> Case:
    base, after = files_of(fix.before), files_of(fix.fixed)
    reproduction = _taken(fix.tests, base, after)
    looked = {path: f"{_text(base, path)}\n# Looked at: it does what it says.\n" for path in fix.code}
    variants = (
        Variant(TRUE_FIX, _taken(fix.code, base, after), is_true=True),
        Variant(NO_OP, looked),
        Variant(WEAKENED_TEST, {**looked, **_edited(WEAKENED[fix.name], reproduction)}),
        Variant(HARD_CODED_ANSWER, _edited(HARD_CODED[fix.name], {path: _text(base, path) for path in fix.code})),
    )
    return Case(fix, base, reproduction, variants)


def _taken(hunks: Hunks, base: Mapping[str, bytes], after: Mapping[str, bytes]) -> Texts:
    return {path: take_hunks(_text(base, path), _text(after, path), words) for path, words in hunks.items()}


def _edited(edits: Sequence[Edit], texts: Texts) -> Texts:
    done = dict(texts)
    for edit in edits:
        assert done[edit.path].count(edit.old) == 1, f"{edit.path}: not once there: {edit.old}"
        done[edit.path] = done[edit.path].replace(edit.old, edit.new)
    return done


def _text(files: Mapping[str, bytes], path: str) -> str:
    return files.get(path, b"").decode("utf-8")


assert {fix.name for fix in FIXES} == HARD_CODED.keys() == WEAKENED.keys()
