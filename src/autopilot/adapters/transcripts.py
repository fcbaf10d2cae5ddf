"""Transcripts as files that grow while an agent works, and become blobs when it is done."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from autopilot.adapters.clock import elapsed_s
from autopilot.adapters.files import translated
from autopilot.adapters.transcript_lines import CleanLines, clean_lines
from autopilot.adapters.transcript_log import TranscriptLog, read_log, remove_log
from autopilot.model.agent import AgentCall, Role, Usage
from autopilot.ports.blobs import Blobs
from autopilot.ports.transcripts import Abandoned

BOTH_STREAMS = b"--- both streams, as they came ---\n"
UPDATES_PER_SECOND = 20.0
LONGEST_ACTIVITY = 200


class Doing(Struct, frozen=True):
    """One call in progress, as its file describes it; `adapters.live` reads it."""

    label: str
    agent: str
    role: Role
    phase: str
    task: str
    since: float = 0.0  # seconds since the machine started: the wall clock may be set meanwhile
    listener: int = 0  # the process that hears it
    activity: str = ""
    usage: Usage = Usage()


class FileTranscripts:
    """``<folder>/<name>.json`` says what is being done; ``<name>.….log`` beside it grows line by line."""

    def __init__(self, folder: Path, blobs: Blobs) -> None:
        self._folder = folder
        self._blobs = blobs

    def open(self, agent: str, call: AgentCall) -> FileTranscript:
        with translated(self._folder):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = secrets.token_hex(8)  # of this call and no other: what a killed one left must not be taken for it
        doing = Doing(call.label, agent, call.role, call.phase, call.task, elapsed_s(), os.getpid())
        return FileTranscript(self._folder / name, doing, self._blobs, call.earlier)

    def abandoned(self) -> tuple[Abandoned, ...]:
        return tuple(self._put_away(path, doing) for path, doing in _open_calls(self._folder))

    def forget(self, calls: Sequence[Abandoned]) -> None:
        for call in calls:
            _remove(self._folder / call.id)

    def _put_away(self, place: Path, doing: Doing) -> Abandoned:
        with translated(place):
            digest = self._blobs.put(read_log(place))
        return Abandoned(place.name, doing.label, doing.agent, doing.role, doing.phase, doing.task, doing.usage, digest)


class FileTranscript:
    def __init__(self, place: Path, doing: Doing, blobs: Blobs, earlier: Usage) -> None:
        self._place = place
        self._earlier = earlier  # told with its own: should we be killed, this file is all that knows of it
        self._doing = msgspec.structs.replace(doing, usage=earlier)
        self._blobs = blobs
        self._lines = CleanLines(blobs.clean)
        self._last_report = ("", Usage())
        self._credit, self._credited_at = UPDATES_PER_SECOND, time.monotonic()
        self._tell()
        with translated(place):
            self._log = TranscriptLog(place)

    def line(self, line: bytes) -> None:
        for clean in self._lines.take(line):
            self._log.write(clean)

    def doing(self, activity: str, usage: Usage) -> None:
        report = (activity, usage)
        if report == self._last_report or (usage == self._last_report[1] and not self._may_tell()):
            return
        self._last_report = report
        activity = " ".join(self._blobs.clean(activity).split())[:LONGEST_ACTIVITY]
        self._doing = msgspec.structs.replace(self._doing, activity=activity, usage=self._earlier + usage)
        self._tell()

    def close(self, rest: bytes) -> str:
        for clean in self._lines.rest():
            self._log.write(clean)
        self._log.close()
        with translated(self._place):
            kept = read_log(self._place) + BOTH_STREAMS + clean_lines(rest, self._blobs.clean)
            digest = self._blobs.put(kept)
            _remove(self._place)
        return digest

    def _tell(self) -> None:
        now = self._place.with_suffix(".json")
        draft = now.with_suffix(".draft")
        with translated(now):
            draft.write_bytes(msgspec.json.encode(self._doing))
            draft.replace(now)

    def _may_tell(self) -> bool:
        """At once as a rule, for the last thing said before a long silence is the one to show; a flood has to wait."""
        now = time.monotonic()
        self._credit = min(UPDATES_PER_SECOND, self._credit + (now - self._credited_at) * UPDATES_PER_SECOND)
        self._credited_at = now
        if self._credit < 1:
            return False
        self._credit -= 1
        return True


def _open_calls(folder: Path) -> Iterator[tuple[Path, Doing]]:
    for path in sorted(folder.glob("*.json")):
        try:
            yield path.with_suffix(""), msgspec.json.decode(path.read_bytes(), type=Doing)
        except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError):
            continue  # it ended while we looked


def _remove(place: Path) -> None:
    """What says that the call is open goes last: a kill in between leaves it to be found once more."""
    remove_log(place)
    for suffix in (".draft", ".json"):
        place.with_suffix(suffix).unlink(missing_ok=True)
