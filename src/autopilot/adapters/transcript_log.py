"""A log on disk that keeps its beginning and its end, however much is written to it."""

from __future__ import annotations

from collections.abc import Iterator
from io import SEEK_END, FileIO
from pathlib import Path

from autopilot.adapters.files import translated

KEPT_BYTES = 1_000_000  # at its beginning, and again at its end
LATER_PARTS = 2  # the end is kept in two files: one that grows, and the full one before it


class TranscriptLog:
    """``<place>.<n>.log``, each named by the byte it begins at: what was left out shows by the names alone.

    Every line is with the kernel before ``write`` returns, so that a killed process loses none of them.
    """

    def __init__(self, place: Path, kept_bytes: int = KEPT_BYTES) -> None:
        self._place = place
        self._kept = kept_bytes
        self._begin = self._end = 0
        self._later: list[int] = []
        self._stream = self._open()

    def write(self, line: bytes) -> None:
        room = self._kept // LATER_PARTS if self._later else self._kept
        with translated(self._place):
            if self._end > self._begin and self._end - self._begin + len(line) > room:
                self._begin_another()
            self._stream.write(line)
        self._end += len(line)

    def close(self) -> None:
        self._stream.close()

    def _begin_another(self) -> None:
        self._stream.close()
        self._begin = self._end
        self._later.append(self._begin)
        self._stream = self._open()
        if len(self._later) > LATER_PARTS:
            _part(self._place, self._later.pop(0)).unlink(missing_ok=True)

    def _open(self) -> FileIO:
        return _part(self._place, self._begin).open("wb", buffering=0)


def read_log(place: Path) -> bytes:
    """What was kept, also of a log that was not closed."""
    pieces, expected = [], 0
    for begin, path in sorted(_parts(place)):
        content = path.read_bytes()
        if begin > expected:
            pieces.append(f"… {begin - expected} bytes left out …\n".encode())
        pieces.append(content)
        expected = begin + len(content)
    return b"".join(pieces)


def remove_log(place: Path) -> None:
    for _, path in _parts(place):
        path.unlink(missing_ok=True)


def _parts(place: Path) -> Iterator[tuple[int, Path]]:
    for path in place.parent.glob(f"{place.name}.*.log"):
        yield int(path.name.split(".")[-2]), path


def _part(place: Path, begin: int) -> Path:
    return place.with_name(f"{place.name}.{begin}.log")


def newest_log(folder: Path) -> Path | None:
    """The one that was written to last; None where there is none."""
    return max(folder.glob("*.log"), key=_written_at, default=None)


def read_end(log: Path, most: int) -> bytes:
    """Whole lines of its end; nothing of one that is gone by now."""
    try:
        with log.open("rb") as stream:
            size = stream.seek(0, SEEK_END)
            stream.seek(max(0, size - most))
            content = stream.read(most)
    except OSError:
        return b""
    return content if size <= most else content.partition(b"\n")[2]


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
