"""Words that journals hold and code decides by."""

from __future__ import annotations

import msgspec
import pytest

from autopilot.events.codec import decode, encode
from autopilot.events.happened import PhaseRated, StepEnded
from autopilot.model.assessment import Recommendation
from autopilot.model.failure import WORDS, Category
from autopilot.model.journal_word import JournalWord
from autopilot.model.planning.criterion import CriteriaSource
from autopilot.model.ruling import Band
from autopilot.model.run import Step, StepStatus
from tests.unit.making import ONE, make_rating

JOURNAL_WORDS: list[type[JournalWord]] = [StepStatus, Category, Band, CriteriaSource]


@pytest.mark.parametrize("kind", JOURNAL_WORDS)
def test_a_word_of_another_version_is_read_as_one_that_nothing_is_decided_by(kind: type[JournalWord]) -> None:
    assert msgspec.convert("of another version", kind) is next(iter(kind))
    assert next(iter(kind)) in ("", "unknown")


@pytest.mark.parametrize("kind", JOURNAL_WORDS)
def test_every_word_of_this_version_comes_back_as_it_was(kind: type[JournalWord]) -> None:
    assert [msgspec.json.decode(msgspec.json.encode(word), type=kind) for word in kind] == list(kind)


def test_what_is_no_word_is_refused_as_before() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(7, StepStatus)


def test_a_journal_with_an_unknown_status_or_band_can_be_read() -> None:
    ended = msgspec.to_builtins(StepEnded(ONE, Step.VERIFY, 1, StepStatus.PASS)) | {"status": "shelved"}
    rated = msgspec.to_builtins(PhaseRated(ONE, "c1", make_rating(), 9.0, Band.GOOD)) | {"band": "splendid"}
    kinds = [encode(StepEnded(ONE, Step.VERIFY, 1, StepStatus.PASS))[0]]
    kinds += [encode(PhaseRated(ONE, "c1", make_rating(), 9.0, Band.GOOD))[0]]
    step, rating = (decode(kind, msgspec.json.encode(row)) for kind, row in zip(kinds, (ended, rated), strict=True))
    assert isinstance(step, StepEnded) and step.status is StepStatus.UNKNOWN
    assert isinstance(rating, PhaseRated) and rating.band is Band.NONE


def test_whatever_a_judge_recommends_is_the_status_of_its_step() -> None:
    """An unknown one would be read silently as no status at all."""
    assert [StepStatus(word).value for word in Recommendation] == [word.value for word in Recommendation]


def test_no_category_is_none_of_the_taxonomy() -> None:
    assert "" not in WORDS and len(WORDS) == len(Category) - 1
