"""What is cut before secrets are taken out of it never shows half of one (T7.redaction)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.adapters.agents.claude.activity import tell_activity
from autopilot.adapters.agents.listening import PartialReply, tell_ending
from autopilot.api.command_trials import telling_text
from autopilot.model.secrecy.cutting import cut_beginning, cut_end
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.sandbox import Exited, Outcome
from autopilot.testtools.formats.results import shortened

# covers: T7.redaction
SECRET = "tk-0a1b2c3d4e5f6a7b8c9d0e1f"
PIECE = SECRET[:10]


def ending(text: str) -> str:
    return tell_ending(Outcome(Exited(1), text.encode()), PartialReply())[1]


def activity(text: str) -> str:
    return tell_activity([{"type": "text", "text": text}], "/p")


CUTS: dict[str, Callable[[str], str]] = {
    "a message of a test": shortened,
    "the last words of an agent": ending,
    "what an agent is doing": activity,
    "what a setup printed": lambda text: telling_text(Outcome(Exited(1), text.encode()), Redactor({"T": SECRET}).clean),
}


@pytest.mark.parametrize("name", CUTS)
def test_no_half_of_a_secret_is_left_where_a_text_is_cut(name: str) -> None:
    """At every place of it; cleaned afterwards, as everything is that is stored or shown."""
    clean = Redactor({"T": SECRET}).clean
    shown = [clean(CUTS[name](f"{'x ' * words}error {SECRET} behind")) for words in range(160)]
    assert not [text for text in shown if PIECE in text]
    assert any("[redacted:T]" in text for text in shown) and any("redacted" not in text for text in shown)
    halves = [clean(f"{'x ' * words}error {SECRET}"[:200]) for words in range(160)]
    assert any(PIECE in text for text in halves), "the control: a plain cut"


@given(st.text(alphabet='ab \n"', max_size=60), st.integers(0, 70))
def test_a_cut_text_consists_of_whole_words_and_is_no_longer_than_allowed(text: str, most: int) -> None:
    for cut, begins in ((cut_end(text, most), True), (cut_beginning(text, most), False)):
        assert len(cut) <= most + 1
        if len(text) <= most:
            assert cut == text
        elif begins:
            assert text.startswith(cut.rstrip("…"))
        else:
            assert text.endswith(cut.lstrip("…"))
