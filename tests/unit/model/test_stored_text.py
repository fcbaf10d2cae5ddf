from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.events.happened import Planned, Researched
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.stored_text import StoredText, named_texts

ONE = PhaseId("1")


class Inner(Struct, frozen=True):
    kept: StoredText = ""
    plain: str = "not this"


class Outer(Struct, frozen=True):
    many: tuple[Inner, ...] = ()
    by_name: Mapping[str, StoredText] = {}
    perhaps: Inner | None = None


def test_digests_are_found_however_deep_and_nothing_else_is_taken_for_one() -> None:
    value = Outer((Inner("a"), Inner()), {"name": "b"}, Inner("c"))
    assert list(named_texts(value)) == ["a", "b", "c"]


def test_of_a_plan_the_documents_are_named_and_not_their_paths() -> None:
    planned = Planned(ONE, "commit", (), (), documents=(("PLAN.md", "d1"), ("other.md", "d2")))
    assert list(named_texts(planned)) == ["d1", "d2"]
    assert list(named_texts(Researched(ONE, "d3", "approach"))) == ["d3"]
