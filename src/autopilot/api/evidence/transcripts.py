"""Reads what agents said from the record: the calls of a run, and the transcript of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

import msgspec
from msgspec import Struct

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.redaction import make_redactor
from autopilot.adapters.transcripts import BOTH_STREAMS
from autopilot.api.assembly import Repository
from autopilot.api.evidence.phase_evidence import find_run, read_runs
from autopilot.events.entry import Stored
from autopilot.events.happened import AgentReplied
from autopilot.events.provision import AgentCutOff
from autopilot.model.errors import RecordBroken, UsageError
from autopilot.model.step import Role
from autopilot.ports.blobs import Blobs
from autopilot.reports.transcript import CallShown
from autopilot.text.naming import name_phases, name_some

CUT_OFF = "cut off"
MOST_NAMED = 12  # steps, tasks and roles in one message


class _Reply(Struct, frozen=True):
    """What of a stored reply leads to its transcripts; asked again, an agent has several."""

    transcript: str = ""
    earlier: tuple[str, ...] = ()


def read_calls(repository: Repository, phase: str = "", step: str = "", run: str = "") -> tuple[CallShown, ...]:
    """Of the named run or the last one; UsageError where nothing is called so."""
    runs = read_runs(repository)
    state = find_run(runs, run) if run else max(runs.values(), key=lambda known: known.seq)
    journal = SqliteJournal(repository.home.journal, read_key(repository.home.key), SystemClock(), readonly=True)
    calls = tuple(_calls(journal.read(state.run), _blobs(repository)))
    if not calls:
        hint = "`autopilot status` shows how far it came" + ("" if state.halted else ", `autopilot watch` follows it")
        raise UsageError(f"no agent has answered in {state.run}", hint)
    of_phase = tuple(call for call in calls if not phase or call.phase == phase)
    if not of_phase:
        asked = name_phases(list(dict.fromkeys(call.phase for call in calls)))
        raise UsageError(f"{state.run} asked no agent in phase {phase}", f"it asked agents in {asked} only")
    found = tuple(call for call in of_phase if not step or call.is_named(step))
    if not found:
        raise _no_such_call(of_phase, phase, step)
    return found


def read_calls_of(entries: Iterable[Stored], repository: Repository) -> tuple[CallShown, ...]:
    """Of one run, whose record was read already."""
    return tuple(_calls(entries, _blobs(repository)))


def read_transcript(repository: Repository, call: CallShown) -> list[str]:
    """What it printed, line by line, as it was recorded."""
    blobs = _blobs(repository)
    lines: list[str] = []
    if not call.transcripts:
        raise UsageError(f"no transcript of call {call.number} was recorded", "`autopilot transcript` lists the calls")
    for digest in call.transcripts:
        if not blobs.has(digest):
            raise UsageError(
                f"the transcript of call {call.number} is no longer stored: it was pruned, or its file was removed",
                "nothing but a backup of the records brings it back; `autopilot transcript` lists the calls",
            )
        lines += blobs.get(digest).decode("utf-8", "replace").splitlines()
    return lines


def printed_lines(lines: Sequence[str]) -> list[str]:
    """Without the copy of both streams, which repeats what came before; of one that printed nothing else, that."""
    mark = BOTH_STREAMS.decode().rstrip("\n")
    if mark not in lines:
        return list(lines)
    place = lines.index(mark)
    return list(lines[:place] or lines[place + 1 :])


def _blobs(repository: Repository) -> FileBlobs:
    return FileBlobs(repository.home.blobs, make_redactor({}))


def _no_such_call(calls: Sequence[CallShown], phase: str, name: str) -> UsageError:
    where = f" in phase {phase}" if phase else ""
    if name.isdecimal():
        numbers = [call.number for call in calls]
        known = f"its calls are {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"its only call is {numbers[0]}"
        return UsageError(f"there is no call {name}{where}", known)
    names = list(dict.fromkeys(n for call in calls for n in (call.step, call.task, call.role.value) if n))
    guess = get_close_matches(name, names, n=1)
    hint = f"did you mean {guess[0]}? " if guess else ""
    return UsageError(
        f"no agent was asked for {name!r}{where}", f"{hint}agents were asked for {name_some(names, MOST_NAMED)}"
    )


def _calls(entries: Iterable[Stored], blobs: Blobs) -> Iterator[CallShown]:
    asked = (stored for stored in entries if isinstance(stored.event, AgentReplied | AgentCutOff))
    for number, stored in enumerate(asked, 1):
        event = stored.event
        assert isinstance(event, AgentReplied | AgentCutOff)
        replied = event if isinstance(event, AgentReplied) else None
        yield CallShown(
            number=number,
            time=stored.time,
            phase=event.phase,
            step=event.step.value,
            task=event.task,
            role=Role(event.role),
            agent=f"{event.agent}:{replied.model}" if replied and replied.model else event.agent,
            ending=replied.ending.value.replace("_", " ") if replied else CUT_OFF,
            tokens=event.usage.tokens,
            usd=event.usage.usd,
            duration_ms=replied.duration_ms if replied else None,
            transcripts=_transcripts(event, blobs),
            detail=replied.detail if replied else "",
        )


def _transcripts(event: AgentReplied | AgentCutOff, blobs: Blobs) -> tuple[str, ...]:
    if isinstance(event, AgentCutOff):
        return (event.transcript,) if event.transcript else ()
    try:
        reply = msgspec.json.decode(blobs.get(event.reply), type=_Reply) if event.reply else _Reply()
    except (RecordBroken, msgspec.DecodeError, UnicodeError, RecursionError):
        return (event.reply,)  # which is not there: reading it says so
    return tuple(filter(None, (*reply.earlier, reply.transcript)))
