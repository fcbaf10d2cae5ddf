"""The short form of what a provider or an agent said: its first sentence. The record keeps all of it."""

from __future__ import annotations

import re

from autopilot.events.pieces import Outage
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Ending
from autopilot.reports.markdown import shorten

MOST = 160
DEBT = " (COMPLETED_WITH_DEBT {"  # for programs, at the end of a reason; the lines below it say the same in words
# As it is written now, and as earlier versions wrote it.
_WAYS = "|".join((*(re.escape(ending.in_words) for ending in Ending), "ended as [a-z_]+"))
ENDED = re.compile(rf"(.*? (?:{_WAYS}): )(.+)", re.DOTALL)
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s|\n")
LINK = re.compile(r"[(<\[]?\bhttps?://\S+")


def brief(text: str) -> str:
    """How an agent ended, with the first sentence of why. A text that says nothing of the kind stays as it is."""
    found = ENDED.fullmatch(text)
    return shorten(f"{found[1]}{first_sentence(found[2])}", MOST) if found else text


def first_sentence(text: str) -> str:
    """Without links: what they lead to is an offer as often as a cure."""
    sentence = SENTENCE_END.split(LINK.sub("", text).strip(), maxsplit=1)[0]
    return shorten(sentence.rstrip(" .:;,("), MOST)


def out_words(outage: Outage) -> str:
    """Why an agent is out, without the remedy that follows it."""
    return first_sentence(outage.because)


def failure_words(phase: PhaseState) -> str:
    """Why a phase failed or was skipped; the record has a code, for programs, of one that waited for another."""
    blocker = phase.ending.blocked_by
    return f"it depends on phase {blocker}, which failed" if blocker else phase.ending.failure


def stop_words(state: RunState) -> str:
    """Why a run rests. What agents said stands in the middle of it, so it is known by what the state holds of it."""
    text = state.session.stop_reason.partition(DEBT)[0]
    for outage in state.availability.out.values():
        text = text.replace(str(outage), out_words(outage))
    for limit in state.provision.limits.values():
        text = text.replace(limit.because, brief(limit.because))
    return text if text != state.session.stop_reason else brief(text)
