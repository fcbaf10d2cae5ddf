"""A control file: what decides how work is judged, and so must not be changed in passing by who does the work."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.git import ChangeStatus


class ControlKind(StrEnum):
    TEST = "test"
    FIXTURE = "test data"  # what tests read: data, and helper code that only they import
    SNAPSHOT = "snapshot"
    SUPPORT = "test setup"  # loaded without being asked for: conftest.py, spec_helper.rb, __mocks__, sitecustomize.py
    RUNNER = "test settings"
    LINT = "lint settings"
    TYPES = "type settings"
    CI = "CI"
    LOCK = "lockfile"
    SCRIPT = "test script"  # what a test command resolves through
    HELPER = "test helper"  # what tests alone import to compare with, wherever it stands
    BYTECODE = "bytecode"  # left behind by a run; Python could load it in place of the source beside it


class Meaning(StrEnum):
    """What a change of a test file does to the tests that were in it."""

    SAME = "same"  # nothing: layout, comments, docstrings, the order of imports
    ADDS = "adds"  # nothing: it brings more tests, and what only they use
    OTHER = "other"


class Kept(Struct, frozen=True):
    """A test of a changed file that stands in a changed file still, the same in meaning."""

    name: str  # as ids have it: ``TestShop::test_total``
    path: str  # where it stands now
    now: str  # its name there


class ControlChange(Struct, frozen=True):
    path: str
    kind: ControlKind
    status: ChangeStatus  # a file that was moved is a D and an A
    endings_only: bool = False  # the same text but for its line endings
    held: bool = False  # a test of the user's in an agent's plan: no task releases it, only the user's own words
    inline: bool = False  # tests inside a file of the product: its old bytes would take the product back with them
    meaning: Meaning = Meaning.OTHER
    moved_to: str = ""  # of a test file that was deleted: where its tests stand now
    kept: tuple[Kept, ...] = ()  # of a file whose tests were put in another order, file or table: where each stands
    renamed: tuple[tuple[str, str], ...] = ()  # names of the product that are others now, in its tests as well
