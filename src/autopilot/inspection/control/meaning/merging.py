"""Two versions of a test file, statement by statement: the old ones in their order, and additions between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from autopilot.inspection.control.meaning.source import Source
from autopilot.inspection.control.meaning.tables import extends_tables
from autopilot.model.evidence.control import Meaning

Body = tuple[str, int]  # what stands around a list of statements, and the part that holds them
Import = tuple[str, frozenset[str]]  # what it means, and the names that it binds


class Statement(Struct, frozen=True):
    source: Source
    index: int
    marks: tuple[int, ...] = ()  # attributes that stand before it

    @property
    def kind(self) -> str:
        return self.source.kind(self.index)

    @property
    def meaning(self) -> str:
        return " ".join(self.source.meaning(part) for part in (*self.marks, self.index))


class Language(Protocol):
    """What merging has to know of a language."""

    def statements(self, source: Source, around: int) -> Sequence[Statement]: ...

    def imports(self, statement: Statement) -> Iterator[Import] | None:
        """None for what is no import."""
        ...

    def body(self, statement: Statement) -> Body | None:
        """Of a group of tests that may be added to."""
        ...

    def may_add(self, statement: Statement, used: frozenset[str], beside: frozenset[str]) -> bool:
        """``used`` are all names of the old text, ``beside`` the titles in the same group."""
        ...

    def may_append(self, statement: Statement, used: frozenset[str]) -> bool:
        """Behind all that was there, and nowhere else."""
        ...

    def title(self, statement: Statement) -> str: ...


def compare_statements(old: Source, new: Source, language: Language) -> Meaning:
    if old.directives() != new.directives():
        return Meaning.OTHER
    return _merge(language.statements(old, 0), language.statements(new, 0), old.names(), language)


def _merge(old: Sequence[Statement], new: Sequence[Statement], used: frozenset[str], language: Language) -> Meaning:
    had, has = _imports(old, language), _imports(new, language)
    if not had.keys() <= has.keys():
        return Meaning.OTHER
    fresh = [names for meaning, names in has.items() if meaning not in had]
    if not all(names and names.isdisjoint(used) for names in fresh):
        return Meaning.OTHER
    left = [statement for statement in old if language.imports(statement) is None]
    beside, adds = frozenset(language.title(statement) for statement in left), bool(fresh)
    for statement in (candidate for candidate in new if language.imports(candidate) is None):
        kept = _compare(left[0], statement, used, language) if left else Meaning.OTHER
        may_come = language.may_add(statement, used, beside) or (not left and language.may_append(statement, used))
        if kept is Meaning.OTHER and not may_come:
            return Meaning.OTHER
        left = left if kept is Meaning.OTHER else left[1:]
        adds = adds or kept is not Meaning.SAME
    if left:
        return Meaning.OTHER
    return Meaning.ADDS if adds else Meaning.SAME


def _imports(statements: Sequence[Statement], language: Language) -> dict[str, frozenset[str]]:
    found = (language.imports(statement) for statement in statements)
    return {meaning: names for pairs in found if pairs is not None for meaning, names in pairs}


def _compare(old: Statement, new: Statement, used: frozenset[str], language: Language) -> Meaning:
    if old.meaning == new.meaning:
        return Meaning.SAME
    same_marks = [old.source.meaning(m) for m in old.marks] == [new.source.meaning(m) for m in new.marks]
    if same_marks and extends_tables(old.source, old.index, new.source, new.index):
        return Meaning.ADDS
    before, after = language.body(old), language.body(new)
    if before is None or after is None or before[0] != after[0]:
        return Meaning.OTHER
    return _merge(language.statements(old.source, before[1]), language.statements(new.source, after[1]), used, language)
