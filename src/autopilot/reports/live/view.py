"""The live view of a run as rows of a terminal: what is where on the screen, from what is known and where one looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.live.columns import fit, shorten_to_width, wrap
from autopilot.reports.live.footer import AtWork, command_line, spent_pieces
from autopilot.reports.live.phase_page import phase_rows
from autopilot.reports.live.phase_row import phase_row
from autopilot.reports.live.row import Row, Tone
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.gates import LANDING, find_waiting
from autopilot.reports.status.status_text import INTERRUPTED, render_doing

KEYS = "↑↓ choose · Enter open · a answer · c cancel · ? help · q quit"
KEYS_IN_PHASE = "↑↓ scroll · ←→ other phase · Esc back · ? help · q quit"
HELP = (
    "↑ ↓  j k       choose a phase; in a phase: scroll (also PgUp, PgDn, Home, End)",
    "Enter          open the phase: its steps, tasks, evidence and failures",
    "← →  h l       in a phase: the one before, the next one",
    "Esc            back",
    "a              answer what waits for you, as `autopilot answer` does; the run goes on by it",
    "c              cancel the run, after a question; `autopilot resume` goes on with it",
    "q  Ctrl-C      leave; the run does not notice",
    "",
    "The same elsewhere: `autopilot status` for one look, `autopilot watch --lines` as a log,",
    "`autopilot transcript` for all that agents said, `autopilot web` as a page.",
)
NO_RUN = ("No run has been started in this repository.", "This view shows the first one as soon as it begins.")
OPENED_PHASES = 12  # at most so many rows of phases, where other things need room too


class Known(Struct, frozen=True):
    """What the view shows. ``spoken``: the last lines of the agent that spoke last; ``progress``: those of the run."""

    state: RunState
    now: datetime
    is_driven: bool = False
    work: AtWork = AtWork()
    speaker: str = ""
    spoken: tuple[str, ...] = ()
    progress: tuple[str, ...] = ()
    news: str = ""  # what came of the last key


class Place(Struct, frozen=True):
    """Where one looks."""

    chosen: int = 0  # the phase, by its place in the list
    is_open: bool = False
    top: int = 0  # the first row of an opened phase that is shown
    helps: bool = False
    asks_cancel: bool = False


def render_view(known: Known, place: Place, columns: int, rows: int) -> list[Row]:
    """As many rows as the terminal has, none wider than it; nothing in them steers it."""
    head, keys = _head(known, columns), _last_row(known, place, columns)
    room = max(0, rows - len(head) - 1)
    body = _body(known, place, columns, room)[:room]
    shown = [*head[: rows - 1], *body, *[Row()] * (room - len(body)), keys]
    return [_clean(row, columns) for row in shown[-rows:]]


def listed_phases(state: RunState) -> list[PhaseState]:
    """Every phase with its parts below it, then what closes the run."""
    found = [
        shown
        for phase in state.phases.values()
        for shown in (phase, *(state.parts[name] for name in phase.split.parts if name in state.parts))
    ]
    return [*found, *state.completion.closing.values()]


def most_scrolled(known: Known, place: Place, columns: int, rows: int) -> int:
    """The furthest an opened phase can be scrolled."""
    phases = listed_phases(known.state)
    return max(0, len(_opened(known, phases[place.chosen], columns)) - _room(known, columns, rows)) if phases else 0


def _room(known: Known, columns: int, rows: int) -> int:
    return max(1, rows - len(_head(known, columns)) - 1)


def _clean(row: Row, columns: int) -> Row:
    text = strip_controls(row.text).replace("\n", " ").replace("\t", "  ")
    return Row(shorten_to_width(text, columns), row.tone)


def _head(known: Known, columns: int) -> list[Row]:
    state = known.state
    if not state.run:
        return [Row("autopilot watch", Tone.HEAD), Row()]
    done = sum(phase.status is PhaseStatus.COMPLETED for phase in state.phases.values())
    counted = f"{done}/{len(state.phases)} done" if state.is_of_roadmap else _subject(state)
    until = known.now if known.is_driven else state.now
    pieces = [(state.run, 3), (run_word(known), 1), (counted, 2), *spent_pieces(state, known.work, until)]
    rows = [Row(fit(pieces, columns), Tone.HEAD)]
    if state.halted:
        rows += [Row(line) for line in wrap(stop_words(state), columns, "")[:2]]
    return [*rows, Row()]


def run_word(known: Known) -> str:
    state = known.state
    if state.halted:
        return state.status.value
    if not known.is_driven:
        return INTERRUPTED
    if state.session.cancelled_by:
        return "stopping"
    return "pausing" if state.session.pause_wanted_by else "running"


def _subject(state: RunState) -> str:
    if state.issue is not None:
        return f"issue {state.issue.brief.number} {state.issue.brief.title}"
    if state.drafting is not None:
        return f"draft of {state.drafting.brief.path}"
    return f"debug session {state.debugging.brief.slug}" if state.debugging is not None else ""


def _body(known: Known, place: Place, columns: int, room: int) -> list[Row]:
    if place.helps:
        return [Row(line) for line in HELP]
    phases = listed_phases(known.state)
    if not known.state.run:
        return [Row(line) for line in NO_RUN]
    if place.is_open and phases:
        return _opened(known, phases[place.chosen], columns)[place.top :]
    below = [*_waiting(known, columns), *_at_work(known, columns)]
    # Phases first, then what waits and works; last words have what is left, and at least a few rows.
    most = max(3, min(len(phases), room - len(below) - 5, max(OPENED_PHASES, room // 2)))
    rows = [*_phase_list(known, place, phases, columns, most), *below]
    return [*rows, *_last_words(known, room - len(rows) - 1)]


def _opened(known: Known, phase: PhaseState, columns: int) -> list[Row]:
    return list(phase_rows(known.state, phase, known.now, columns))


def _phase_list(known: Known, place: Place, phases: Sequence[PhaseState], columns: int, most: int) -> Iterator[Row]:
    first = max(0, min(place.chosen - most // 2, len(phases) - most))
    for number, phase in enumerate(phases[first : first + most], first):
        row = phase_row(known.state, phase, known.now, columns - 2)
        is_chosen = number == place.chosen
        yield Row(f"{'>' if is_chosen else ' '} {row.text}", Tone.CHOSEN if is_chosen else row.tone)
    if len(phases) > most:
        yield Row(f"  {first + 1} to {first + most} of {len(phases)} phases", Tone.DIM)


def _waiting(known: Known, columns: int) -> Iterator[Row]:
    for waiting in find_waiting(known.state):
        way = (
            f"`{waiting.command}`" if waiting.kind == LANDING else "press a, or from anywhere " + f"`{waiting.command}`"
        )
        yield Row(shorten_to_width(f"! waits for you: {waiting.title}", columns), Tone.WARN)
        yield Row(shorten_to_width(f"    {way}", columns), Tone.WARN)
    if not known.state.halted and not known.is_driven:
        yield Row("! its process has ended; `autopilot resume` goes on with it", Tone.WARN)


def _at_work(known: Known, columns: int) -> Iterator[Row]:
    if not known.is_driven:
        return
    yield Row()
    yield from (Row(f"  {render_doing(doing, columns - 2)}") for doing in known.work.agents)
    yield from (Row(command_line(shown, took, columns)) for shown, took in known.work.commands)


def _last_words(known: Known, room: int) -> list[Row]:
    if room < 2 or not (known.spoken or known.progress):
        return []
    lines = known.spoken or known.progress
    title = f"{known.speaker} says:" if known.spoken else "what happened:"
    return [Row(), Row(title, Tone.DIM), *(Row(f"  {line}") for line in lines[-(room - 1) :])]


def _last_row(known: Known, place: Place, columns: int) -> Row:
    if place.asks_cancel:
        return Row(f"Cancel {known.state.run}? It can be resumed. [y/n]", Tone.WARN)
    if known.news:
        return Row(known.news, Tone.WARN)
    return Row(shorten_to_width(KEYS_IN_PHASE if place.is_open else KEYS, columns), Tone.DIM)
