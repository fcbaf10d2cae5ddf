"""Telling that a run rests: once for every rest, and never in the run's way.

covers: NOTE
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.home import Home
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.adapters.notify.memory import Remembered
from autopilot.api.assembly import Repository, known_secrets
from autopilot.api.people.notifications import Announcer, make_notifiers
from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.people import HumanAnswered, PauseRequested
from autopilot.events.state import RunState
from autopilot.model.notice import NoticeKind, Notify
from autopilot.model.policy import Budget
from autopilot.model.run import RunStatus
from autopilot.model.secrecy.redaction import Redactor
from autopilot.settings.reading import Settings
from tests.unit.asking import CHECKPOINT, MAP, WAITS, events_for
from tests.unit.making import store

RESUMED = h.RunResumed("0.1.0", (), Budget())
DONE = h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0)


class Told:
    def __init__(self, *notifiers: Remembered, on: tuple[str, ...] = tuple(NoticeKind)) -> None:
        self.notifiers = notifiers or (Remembered(),)
        self.warnings: list[str] = []
        journal = MemoryJournal(SteppedClock())
        self.announcer = Announcer(
            self.notifiers, on, Path("/work/shop"), journal, Redactor({"KEY": "hunter2-hunter2"})
        )

    def rest(self, *events: h.Event) -> list[str]:
        """What has been told after a run came to rest with these events."""
        if notice := self.announcer.claim(state_after(*events)):
            self.announcer.announce(notice, self.warnings.append)
        return [notice.kind for notice in self.notifiers[0].notices]


def state_after(*events: h.Event) -> RunState:
    return fold_all(store(*events))


def test_a_rest_is_told_once_however_often_the_run_is_taken_up_in_vain() -> None:
    told = Told()
    waits = events_for(CHECKPOINT)
    assert told.rest(*waits) == ["gate"]
    assert told.rest(*waits, RESUMED, WAITS) == ["gate"]
    assert told.rest(*waits, RESUMED, WAITS, RESUMED, WAITS) == ["gate"]


def test_another_gate_and_another_end_are_told_again() -> None:
    told = Told()
    waits = events_for(CHECKPOINT)
    assert told.rest(*waits) == ["gate"]
    further = (*waits, HumanAnswered("checkpoint-1", {}, "you", approved=True), RESUMED, MAP, WAITS)
    assert told.rest(*further) == ["gate", "gate"]
    assert told.rest(*further, RESUMED, DONE) == ["gate", "gate", "completion"]


@pytest.mark.parametrize(("on", "kinds"), [(("completion",), []), (("gate",), ["gate"]), ((), [])])
def test_only_what_is_wanted_is_told(on: tuple[str, ...], kinds: list[str]) -> None:
    assert Told(on=on).rest(*events_for(CHECKPOINT)) == kinds


def test_a_run_that_was_stopped_by_hand_is_nobodys_news() -> None:
    cancelled = (*events_for(stopped=False), h.CancelRequested("you"), h.RunStopped(RunStatus.PAUSED, "cancelled", 1))
    assert Told().rest(*cancelled) == []
    paused = (*events_for(stopped=False), PauseRequested("you"), h.RunStopped(RunStatus.PAUSED, "paused by you", 1))
    assert Told().rest(*paused) == []


def test_whoever_cannot_be_told_is_one_warning_without_a_secret_and_the_others_are_told() -> None:
    broken = Remembered("the webhook", "no hunter2-hunter2 here")
    told = Told(Remembered(), broken, Remembered("the command", "exit 1"))
    assert told.rest(*events_for(CHECKPOINT)) == ["gate"]
    assert told.warnings == [
        "some notifications were not sent: the command: exit 1; the webhook: no [redacted:KEY] here",
    ]


def test_the_settings_say_who_is_told() -> None:
    def names(notify: Notify) -> list[str]:
        return [notifier.name for notifier in make_notifiers(Settings(Path("/s"), {}, notify=notify))]

    assert names(Notify()) == ["the desktop"]
    assert names(Notify(desktop=False)) == []
    every = Notify(command="true", webhook="http://127.0.0.1:9/x")
    assert names(every) == ["the desktop", "the command", "the webhook"]


@pytest.mark.parametrize(
    "shown",
    [
        "https://chat.example.org/hooks/T0000AAAA/{}?thread=1",
        "POST /hooks/T0000AAAA/{}?thread=1 HTTP/1.1",
        "404: no hook at /hooks/T0000AAAA/{}",
        "the hook {} is gone",
    ],
)
def test_no_part_of_a_webhooks_address_that_would_let_anyone_call_it_is_shown(tmp_path: Path, shown: str) -> None:
    """R-SECRET: a server's complaint names the path without the host."""
    part = "Zq8vXw7Lr2Tn5Kd9"
    settings = Settings(
        tmp_path, {}, notify=Notify(webhook=f"https://chat.example.org/hooks/T0000AAAA/{part}?thread=1")
    )
    redactor = known_secrets(Repository(tmp_path, tmp_path / ".git", Home(tmp_path / "home")), settings)
    clean = redactor.clean(shown.format(part))
    assert part not in clean
    assert "[redacted:webhook" in clean
    assert redactor.clean("https://chat.example.org/hooks and /notify") == "https://chat.example.org/hooks and /notify"
