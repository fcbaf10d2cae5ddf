"""Words of a tree, counted by git itself: it reads packed objects faster than we could, and needs no index of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from autopilot.adapters.git.command import Git, shown

MOST_BYTES = 64_000_000  # of what git prints; a tree in which the words are more frequent is counted in part
MOST_LINES = 1_000  # of one file
_CHUNK = 1 << 16


class GitWordSearch:
    def __init__(self, git: Git) -> None:
        # Letters of other alphabets keep their case: telling those apart makes git's search many times slower.
        self._git = git.with_env({"LC_ALL": "C"})

    def count(self, stems: Sequence[str], tree: str = "") -> Mapping[str, Mapping[str, int]]:
        wanted = sorted({stem for stem in stems if stem.isalnum() and stem.isascii()})
        if not wanted:
            return {}
        where = [tree] if tree else ["--untracked"]
        options = ("-I", "-i", "-o", "-E", "--heading", "--break", "--no-color", "--full-name", f"-m{MOST_LINES}")
        child = self._git.start("grep", *options, "-e", "|".join(wanted), *where, "--")
        printed = child.stdout
        assert printed is not None
        with child:
            try:
                return _read(_lines(iter(lambda: printed.read(_CHUNK), b"")), wanted, f"{tree}:" if tree else "")
            finally:
                if child.poll() is None:
                    child.kill()


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    rest, read = b"", 0
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from map(shown, lines)
        read += len(chunk)
        if read > MOST_BYTES:
            return


def _read(lines: Iterable[str], stems: Sequence[str], prefix: str) -> dict[str, dict[str, int]]:
    """Groups with an empty line between them: a path, then what was found in it, word by word."""
    beginnings: dict[str, tuple[str, ...]] = {}
    found: dict[str, Counter[str]] = {}
    count: Counter[str] | None = None
    for line in lines:
        if not line:
            count = None
        elif count is None:
            count = found.setdefault(line.removeprefix(prefix), Counter())
        else:
            word = line.lower()
            if word not in beginnings:  # the longest that fits was found; it may begin with another that is wanted
                beginnings[word] = tuple(stem for stem in stems if word.startswith(stem))
            count.update(beginnings[word])
    return {path: dict(count) for path, count in found.items()}
