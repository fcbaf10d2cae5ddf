"""P-MAP, relevance: of the files that real commits changed, how many does 2,000 tokens of map name?

In go the message of a commit and the tree before it; the truth is which files of that tree the commit changed. Beside
ours: aider's repository map (installed here into an environment of its own), plain word search (`git grep` for the same
words, files with most different words first: once up to three matching lines of each, once only the paths), and no map.

    .venv/bin/python bench/relevance.py CLONE...      # clones with history, bare or not
    .venv/bin/python bench/relevance.py               # all clones below $AUTOPILOT_CACHE/relevance

Without any clone there is nothing to measure, and the script says so. Commits are the newest of each clone, no merges,
none by bots, with at least one source file and at most 20 files changed; a hundred in all. A token is four characters,
for everybody.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from msgspec import Struct
from peers.mappers import CACHE, install_aider

from autopilot.adapters.git.command import THROW_AWAY, Git
from autopilot.adapters.repomap.maps import SqliteMaps
from autopilot.adapters.repomap.word_search import GitWordSearch
from autopilot.repomap.excerpt import CHARACTERS, render_excerpt
from autopilot.repomap.linking import link
from autopilot.repomap.relevance import Topic, order_files, weigh_stems

COMMITS = 100
MOST_CHANGED = 20
LOOKED_AT = 3000  # commits of a clone among which those to measure are chosen
SOURCE = re.compile(
    r"\.(?:py|js|jsx|ts|tsx|mjs|cjs|mts|cts|go|rs|java|c|h|cc|cpp|hpp|cs|rb|php|kt|swift|scala|lua|exs?)$"
)
LINES_EACH, LONGEST_LINE = 3, 160  # of the word search that prints lines
TRAILER = re.compile(r"^(?:[\w-]+-by|Change-Id|Closes|Refs):.*$", re.IGNORECASE | re.MULTILINE)


class Case(Struct, frozen=True):
    commit: str
    base: str
    message: str
    changed: frozenset[str]  # of the files of the base

    @property
    def topic(self) -> Topic:
        title, _, text = self.message.partition("\n")
        return Topic(title, text)


class Shown(Struct, frozen=True):
    files: tuple[str, ...]
    characters: int


Peer = Callable[[Case], Shown]


def main() -> None:
    options = _options()
    clones = options.clones or sorted(path for path in (CACHE / "relevance").glob("*") if path.is_dir())
    if not clones:
        print(f"relevance: not measured, there is no clone below {CACHE / 'relevance'} (goal: ahead of each)")
        return
    aider = None if options.no_aider else install_aider()
    recalls: dict[str, list[tuple[float, float]]] = defaultdict(list)
    each = -(-options.commits // len(clones))
    for clone in clones:
        git_dir = clone if (clone / "HEAD").exists() else clone / ".git"
        with tempfile.TemporaryDirectory(prefix="relevance-") as scratch:
            measure_clone(git_dir, clone, each, options.tokens, aider, Path(scratch), recalls)
    report(recalls, options.tokens, aider is not None)


def measure_clone(
    git_dir: Path,
    clone: Path,
    count: int,
    tokens: int,
    aider: Path | None,
    scratch: Path,
    recalls: dict[str, list[tuple[float, float]]],
) -> None:
    git = Git(git_dir, settings=THROW_AWAY)
    cases = list(read_cases(git, count))
    peers = {
        "autopilot": our_map(git, scratch, tokens),
        **word_search(git, tokens),
        "no map": lambda case: Shown(tuple(case.changed & named_in(case.message)), 0),
    }
    if aider:
        peers["aider"] = AiderMap(aider, git, scratch, tokens)
    for name, peer in peers.items():
        began = time.monotonic()
        found = [(case, peer(case)) for case in cases]
        values = [(recall(case, shown.files), recall(case, shown.files, SOURCE)) for case, shown in found]
        first = fmean(recall(case, shown.files[:10]) for case, shown in found)
        recalls[name] += values
        named = fmean(len(shown.files) for _, shown in found)
        size = max(shown.characters for _, shown in found) / CHARACTERS
        label = clone.parent.name if clone.name == "repo" else clone.name
        every, sources = fmean(value for value, _ in values), fmean(value for _, value in values)
        print(
            f"{label:<24} {name:<22} {len(cases):>3} commits  recall {every:6.1%}  of sources {sources:6.1%}"
            f"  in the first ten {first:6.1%}  {named:5.0f} files named  at most {size:5.0f} tokens"
            f"  {time.monotonic() - began:6.1f} s",
            flush=True,
        )


def report(recalls: dict[str, list[tuple[float, float]]], tokens: int, with_aider: bool) -> None:
    means = {name: (fmean(v for v, _ in values), fmean(v for _, v in values)) for name, values in recalls.items()}
    for name, (every, sources) in means.items():
        print(f"{name:<22} {len(recalls[name]):>4} commits  recall {every:6.1%}  of sources {sources:6.1%}")
    others = ", ".join(f"{name} {every:.1%}" for name, (every, _) in means.items() if name != "autopilot")
    missing = "" if with_aider else "; aider is missing"
    print(f"relevance: {means['autopilot'][0]:.1%} in {tokens:,} tokens; {others}{missing} (goal: ahead of each)")


def recall(case: Case, files: Sequence[str], kind: re.Pattern[str] | None = None) -> float:
    wanted = {path for path in case.changed if kind is None or kind.search(path)}
    return len(wanted & set(files)) / len(wanted)


def read_cases(git: Git, count: int) -> Iterator[Case]:
    form = "--format=%x01%H %P%x02%an%x02%B%x03"
    options = ("--no-merges", "--first-parent", "--name-status", "--no-renames", f"-n{LOOKED_AT}")
    for record in git.run("log", *options, form, "HEAD").decode("utf-8", "replace").split("\x01")[1:]:
        head, _, rest = record.partition("\x03")
        ids, author, message = head.split("\x02")
        commit, _, base = ids.partition(" ")
        rows = [line.split("\t", 1) for line in rest.splitlines() if "\t" in line]
        changed = frozenset(path for status, path in rows if status in ("M", "D"))
        is_fit = any(map(SOURCE.search, changed)) and len(rows) <= MOST_CHANGED and base and count
        if is_fit and not re.search(r"\bbot\b", author, re.IGNORECASE):
            count -= 1
            yield Case(commit, base, TRAILER.sub("", message).strip(), changed)


def our_map(git: Git, scratch: Path, tokens: int) -> Peer:
    maps, words = SqliteMaps(scratch / "map.db", git, None), GitWordSearch(git)

    def ask(case: Case) -> Shown:
        files = maps.load(case.base).files
        stems = weigh_stems(case.topic)
        order = order_files(files, link(files), case.topic, words.count(tuple(stems), case.base))
        excerpt = render_excerpt(files, order, tokens, stems)
        return Shown(excerpt.files, len(excerpt.text))

    return ask


def word_search(git: Git, tokens: int) -> dict[str, Peer]:
    words = GitWordSearch(git)
    room = tokens * CHARACTERS

    def ranked(case: Case) -> list[str]:
        counts = words.count(tuple(weigh_stems(case.topic)), case.base)
        return sorted(counts, key=lambda path: (-len(counts[path]), -sum(counts[path].values()), path))

    def paths(case: Case) -> Shown:
        return Shown(*fill(ranked(case), room))

    def lines(case: Case) -> Shown:
        pattern = "|".join(weigh_stems(case.topic))
        printed = git.ask("grep", "-I", "-i", "-n", "-E", "-e", pattern, case.base, "--").output.decode(
            errors="replace"
        )
        by_path = defaultdict(list)
        for line in printed.splitlines():
            by_path[line.removeprefix(f"{case.base}:").partition(":")[0]].append(line.removeprefix(f"{case.base}:"))
        whole = (line[:LONGEST_LINE] for path in ranked(case) for line in by_path[path][:LINES_EACH])
        shown, used = fill(whole, room)
        return Shown(tuple(dict.fromkeys(line.partition(":")[0] for line in shown)), used)

    return {"word search, paths": paths, "word search, lines": lines}


def fill(lines: Sequence[str] | Iterator[str], room: int) -> tuple[tuple[str, ...], int]:
    used, taken = 0, []
    for line in lines:
        if used + len(line) + 1 > room:
            break
        used += len(line) + 1
        taken.append(line)
    return tuple(taken), used


def named_in(message: str) -> frozenset[str]:
    return frozenset(word.strip("./") for word in re.findall(r"[\w./-]+", message))


class AiderMap:
    """Asked in one process over a checkout that moves from commit to commit, so that its cache serves it."""

    def __init__(self, python: Path, git: Git, scratch: Path, tokens: int) -> None:
        self._git, self._root, self._tokens = git, scratch / "checkout", tokens
        self._root.mkdir()
        command = [str(python), str(Path(__file__).parent / "peers" / "aider_map.py")]
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __call__(self, case: Case) -> Shown:
        index = {"GIT_INDEX_FILE": str(self._root.parent / "index"), "GIT_WORK_TREE": str(self._root)}
        self._git.with_env(index).run("read-tree", "-u", "--reset", case.base)
        files = self._git.run("ls-tree", "-r", "-z", "--name-only", case.base).decode(errors="replace").split("\0")
        present = [path for path in files if path and (self._root / path).is_file()]
        asked = {"root": str(self._root), "files": present, "message": case.message, "tokens": self._tokens}
        assert self._child.stdin and self._child.stdout
        print(json.dumps(asked), file=self._child.stdin, flush=True)
        text = json.loads(self._child.stdout.readline())["text"]
        known = set(present)
        lines = (line.removesuffix(":") for line in text.splitlines())
        return Shown(tuple(dict.fromkeys(line for line in lines if line in known)), len(text))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="*", type=lambda path: Path(path).resolve(), metavar="CLONE")
    parser.add_argument("--commits", type=int, default=COMMITS, help="in all (default %(default)s)")
    parser.add_argument("--tokens", type=int, default=2000, help="of each map (default %(default)s)")
    parser.add_argument("--no-aider", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
