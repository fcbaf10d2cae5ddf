"""``autopilot watch`` at a terminal: draws when something changed, and carries out what keys ask for."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.api.assembly import Repository, assemble
from autopilot.api.live.feed import RunFeed
from autopilot.cli.live.full_screen import FullScreen
from autopilot.events.state import RunState
from autopilot.model.errors import AutopilotError
from autopilot.reports.live.moving import Order, press
from autopilot.reports.live.view import Known, Place, listed_phases, render_view
from autopilot.reports.markdown import one_line
from autopilot.reports.status.gates import wait_for_verdict
from autopilot.settings.reading import Settings

LOOK_EVERY_S = 0.25  # at the times of a few files
DRAW_EVERY = 4  # looks, while a run is driven: its seconds are shown


def show_view(repository: Repository, settings: Settings) -> Known:
    """Until the user leaves; what was known then."""
    view = View(repository, settings)
    with FullScreen() as screen:
        try:
            while view.go_on(screen):
                pass
        except EOFError:
            pass  # the terminal is gone
    return view.known


class View:
    def __init__(self, repository: Repository, settings: Settings) -> None:
        self._repository, self._settings = repository, settings
        self._feed = RunFeed(repository)
        self._stamp = self._feed.stamp()
        self._place = Place()
        self._looks = 0
        self._drawn: tuple[Known, Place, tuple[int, int]] | None = None
        self.known = self._feed.look()
        self._place = replace(self._place, chosen=_at_work(self.known.state))

    def go_on(self, screen: FullScreen) -> bool:
        """Draw, wait for a key or a moment, and do what was asked for; False when the user leaves."""
        wanted = (self.known, self._place, screen.size)
        if wanted != self._drawn or not screen.is_drawn:
            screen.draw(render_view(self.known, self._place, *screen.size))
            self._drawn = wanted
        keys = screen.keys(LOOK_EVERY_S)
        for key in keys:
            self.known = replace(self.known, news="")
            self._place, order = press(key, self._place, self.known, *screen.size)
            if order is Order.QUIT:
                return False
            if order is not Order.NONE:
                self._look(news=self._carry_out(order, screen))
        self._looks += 1
        if (stamp := self._feed.stamp()) != self._stamp or (self.known.is_driven and self._looks % DRAW_EVERY == 0):
            self._stamp = stamp
            self._look(news=self.known.news)
        return True

    def _look(self, news: str) -> None:
        known = self._feed.look()
        last = max(0, len(listed_phases(known.state)) - 1)
        if known.state.run != self.known.state.run:
            self._place = Place(_at_work(known.state))
        self._place = replace(self._place, chosen=min(self._place.chosen, last))
        self.known = replace(known, news=news)

    def _carry_out(self, order: Order, screen: FullScreen) -> str:
        try:
            return self._answer(screen) if order is Order.ANSWER else self._cancel()
        except AutopilotError as error:
            return one_line(str(error))

    def _answer(self, screen: FullScreen) -> str:
        """By the same conversation as `run` and `answer`, on the ordinary screen."""
        from autopilot.cli.conversation import ask_open_gates

        state = self.known.state
        if not state.open_gates and not wait_for_verdict(state):
            return "nothing waits for an answer"
        with screen.lent():
            outcome = ask_open_gates(state, assemble(self._repository, self._settings))
        return one_line("; ".join(outcome.settled)) or "nothing was answered; it still waits"

    def _cancel(self) -> str:
        from autopilot.api.cancellation import cancel

        return cancel(assemble(self._repository, self._settings), "you")


def _at_work(state: RunState) -> int:
    """The place of the phase at work, or of the first one."""
    return next((place for place, phase in enumerate(listed_phases(state)) if phase.open is not None), 0)
