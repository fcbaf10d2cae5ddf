"""Events to bytes and back: nothing is lost, equal events have equal bytes, the unknown is refused (T7.chain)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.events.codec import KINDS, decode, encode
from autopilot.events.happened import Event, PhaseCompleted, RunStarted, Warned
from tests.sampling import examples
from tests.unit.events.generating import events_of
from tests.unit.making import ONE, make_started, policy_of

# covers: T7.chain


@pytest.mark.parametrize("name", sorted(KINDS))
@settings(max_examples=examples(10))
@given(data=st.data())
def test_every_kind_of_event_comes_back_as_it_was(name: str, data: st.DataObject) -> None:
    event = data.draw(events_of(KINDS[name]))
    kind, payload = encode(event)
    assert kind == name
    assert decode(kind, payload) == event
    assert encode(decode(kind, payload)) == (kind, payload)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_of_event_is_frozen(name: str) -> None:
    assert KINDS[name].__struct_config__.frozen


def test_equal_events_have_equal_bytes_whatever_the_order_they_were_made_in() -> None:
    def started(agents: dict[str, str]) -> RunStarted:
        return make_started(policy=policy_of(agents=agents))

    assert encode(started({"judge": "a", "rater": "b"})) == encode(started({"rater": "b", "judge": "a"}))


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown kind of event: PhaseTeleported"):
        decode("PhaseTeleported", b"{}")


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b"{}",
        b'{"phase": "1", "score": "nine", "commit": "c"}',
        b'{"phase": "1", "score": 9.0}',
        b'{"phase": 1, "score": 9.0, "commit": "c"}',
        b'{"phase": "1", "score": 9.0, "commit": "c"',
    ],
)
def test_a_payload_of_another_shape_is_refused(payload: bytes) -> None:
    with pytest.raises((msgspec.ValidationError, msgspec.DecodeError)):
        decode("PhaseCompleted", payload)


def test_a_field_of_a_later_version_is_passed_over() -> None:
    payload = b'{"phase": "1", "score": 9.0, "commit": "c", "mood": "good"}'
    assert decode("PhaseCompleted", payload) == PhaseCompleted(ONE, 9.0, "c")


def test_a_field_an_earlier_version_did_not_have_takes_its_default() -> None:
    event: Event = decode("Warned", b'{"text": "no command is known"}')
    assert event == Warned("no command is known", None)
