"""How a run ended: everything that must be the same whether or not it was disturbed on the way."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from autopilot.api.reading import verify_record
from autopilot.events.happened import PhaseCompleted
from tests.chaos.record import names, read_record
from tests.scenario.kit.world import World

# Times, lengths of time, ids of runs, commits and blobs: all that may differ between two runs. And who was asked how
# often: a call that was cut off is told, and what it used is counted.
_MASKED = re.compile(
    r"(?m)^- (?:\*\*Agents:\*\*|(?:phase \S+, )?[a-z_]+:) .*\basked [0-9].*$|"
    r"^- Command: .*$|^\| \S+ \| [0-9,]+ \| [0-9,]+ \| .* USD \|$|"
    r"run-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}(?:-[0-9]+)?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+(?:Z|[+-][0-9:]+))?"
    r"|(?<=duration: )\S+"
    r"|(?<= --script )[^`\s]+"
    r"|(?<=the phase took only )[0-9]+"
    r"|(?<=- Duration: )[0-9.]+|(?<=\| )[0-9.]+ (?:s|min)(?= \|)"
    r"|(?<=duration_ms\": )[0-9]+|(?<=duration_ms\":)[0-9]+"
    r"|[0-9,]+(?= tokens used)|Ran [0-9]+ tests? in [0-9.]+s"
    r"|\b[0-9a-f]{7,64}\b"
    r"|[0-9]+(?= of 16\b)"  # how often a flaky test failed: that is chance itself
    r"|(?<=\bwaited )[0-9.]+(?= min\b)"  # a wait is lengthened by chance: those who were limited together come apart
    # And whether it failed at once, or only when it was run again.
    r"|(?<=, and refused: )(?:R:06-01\.c1: |)(?:identical runs give different results.*|Part 06-01 says.*)"
)

_SUMMARY = re.compile(r'(?<=put_summary": )"(?:[^"\\]|\\.)*+"')  # of input and output
REGISTERED = "still registered:"


class Ending(Struct, frozen=True):
    tree: tuple[str, ...]  # mode, blob and path of every file outside the planning folder
    documents: dict[str, str]  # of the planning folder and those about failures, masked
    commits: tuple[str, ...]  # on every branch, by their subjects and those of their parents
    record: list[str]  # every entry by name
    completed: tuple[str, ...]
    checkout: str  # what `git status` says
    strays: tuple[str, ...]


def differences(one: Ending, other: Ending) -> dict[str, object]:
    """What stands in one ending and not in the other, so that a failed test can be read."""
    found = {
        name: _apart(one.documents.get(name, "").splitlines(), other.documents.get(name, "").splitlines())
        for name in {*one.documents, *other.documents}
        if one.documents.get(name) != other.documents.get(name)
    }
    rest = [field for field in Ending.__struct_fields__ if field != "documents"]
    return {
        **found,
        **{f: _apart(getattr(one, f), getattr(other, f)) for f in rest if getattr(one, f) != getattr(other, f)},
    }


def _apart(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    return [each for each in one if each not in other], [each for each in other if each not in one]


def read_ending(world: World) -> Ending:
    """RecordBroken when the chain does not verify."""
    verify_record(world.repository)
    entries = read_record(world)
    listed = world.git("ls-tree", "-r", "HEAD").splitlines()
    paths = [line.split("\t")[1] for line in listed]
    return Ending(
        tree=tuple(line for line in listed if "\t.planning/" not in line),
        documents={path: _comparable(world, path) for path in (*paths, *_diagnostics(world)) if _is_document(path)},
        commits=tuple(sorted(_commits(world))),
        record=names(entries),
        completed=tuple(stored.event.phase for stored in entries if isinstance(stored.event, PhaseCompleted)),
        checkout=world.git("status", "--porcelain"),
        strays=tuple(strays(world)),
    )


def _is_document(path: str) -> bool:
    return path.startswith((".planning/", ".autopilot/"))


def _diagnostics(world: World) -> list[str]:
    found = (world.project / ".autopilot").rglob("*.md")
    return [path.relative_to(world.project).as_posix() for path in found]


def _commits(world: World) -> Iterator[str]:
    """Each with those it stands on: lines side by side have no order of their own."""
    for branch in world.branches:
        lines = world.git("log", "--format=%H%x09%P%x09%s", branch).splitlines()
        commits = [line.split("\t", 2) for line in lines]
        subjects = {name: subject for name, _, subject in commits}
        for _, parents, subject in commits:
            yield f"{mask(branch)}: {subject} <- {' + '.join(subjects[parent] for parent in parents.split())}"


def _comparable(world: World, path: str) -> str:
    text = mask(_text(world, path))
    if not path.lower().endswith("trace.jsonl"):
        return text
    # Spans stand in the order of their times, and times differ. Probes take names and values from the commit they try,
    # and what these show decides how many more are tried.
    return "\n".join(sorted({_SUMMARY.sub("…", line) for line in text.splitlines()}))


def mask(text: str) -> str:
    return _MASKED.sub("…", text)


def _text(world: World, path: str) -> str:
    return (world.project / path).read_text(encoding="utf-8")


def strays(world: World) -> Iterator[str]:
    """Processes that have to do with this world: by their words, their folder or their environment."""
    root = str(world.folder).encode()
    others = (process for process in Path("/proc").glob("[0-9]*") if process.name != str(os.getpid()))
    for process in others:
        try:
            words = (process / "cmdline").read_bytes()
            about = words + (process / "environ").read_bytes() + bytes((process / "cwd").readlink())
        except OSError:
            continue  # gone meanwhile, or a zombie
        if root in about:
            yield f"{process.name}: {words.replace(bytes(1), b' ').decode(errors='replace')[:200]}"
    for registered in world.repository.home.processes.glob("*.json"):
        yield f"{REGISTERED} {registered.name}"
