"""A world that only listens: steps run in it unchanged, and what they told an agent or a sandbox can be read after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from autopilot.adapters.blobs import FileBlobs
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import AgentCall, AgentReply, Ending
from autopilot.model.errors import Unavailable
from autopilot.model.git import Change
from autopilot.model.repomap.code_map import Refreshed, RepoMap
from autopilot.model.run import Step
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.bundle import Ports
from autopilot.ports.sandbox import CommandSpec, Exited, Outcome
from autopilot.repomap.extracting import extract
from autopilot.repomap.languages import language_of
from autopilot.steps.context import StepContext


class Ear:
    """An agent that hears its call and answers what it was told to: ``replies`` one by one, then ``reply``."""

    name = "ear"

    def __init__(self) -> None:
        self.calls: list[AgentCall] = []
        self.reply = AgentReply(Ending.COMPLETED, text="{}")
        self.replies: list[AgentReply] = []

    def named(self, _: str) -> Ear:
        return self

    def version(self) -> str:
        return "1"

    def trouble(self) -> None:
        return None

    def call(self, call: AgentCall) -> AgentReply:
        self.calls.append(call)
        return self.replies.pop(0) if self.replies else self.reply


class Ended:
    """A command that is over."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    def lines(self) -> Iterator[bytes]:
        return iter(())

    def stop(self, grace_s: float = 0.5) -> None: ...

    def wait(self) -> Outcome:
        return self._outcome


class Foretold:
    """A sandbox whose commands end as foretold, in order; the last ending stays."""

    def __init__(self, *outcomes: Outcome) -> None:
        self._outcomes = list(outcomes)
        self.specs: list[CommandSpec] = []

    def start(self, spec: CommandSpec) -> Ended:
        self.specs.append(spec)
        return Ended(self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0])


class Answering:
    """A sandbox that knows how each command ends, by the command; what it does not know ends well."""

    def __init__(self, outcomes: Mapping[str, Outcome]) -> None:
        self._outcomes = outcomes
        self.specs: list[CommandSpec] = []

    def start(self, spec: CommandSpec) -> Ended:
        self.specs.append(spec)
        return Ended(self._outcomes.get(spec.argv[-1], Outcome(Exited(0), b"")))


class Uninterrupted:
    def __init__(self, reason: str = "") -> None:
        self._reason = reason

    def reason(self) -> str:
        return self._reason


class Places:
    """Workspaces that exist by name only, and remember what was put into them."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}  # of the last call
        self.folders: list[dict[str, bytes]] = []  # what each call found beside its work
        self.homes: list[str] = []
        self.removed: list[str] = []
        self.passing: list[str] = []  # exports that are not to be kept and are still there
        self.left_out: list[str] = []
        self.ignored: list[str] = []  # by git, in the last clone
        self.compared: list[tuple[str, str]] = []
        self.free = 10**12

    def free_bytes(self) -> int:
        return self.free

    def below(self, name: str) -> None: ...

    def clone(self, name: str, commit: str, ignored: Sequence[str] = (), *, layered: bool = False) -> Path:
        self.ignored = list(ignored)
        return Path("/clones", name)

    def review(self, name: str, base: str, head: str, leave_out: Sequence[str] = (), *, layered: bool = False) -> Path:
        self.left_out = list(leave_out)
        self.compared.append((base, head))
        return Path("/reviews", name)

    def export(self, commit: str, *, kept: bool = True) -> Path:
        if not kept:
            self.passing.append(commit)
        return Path("/exports" if kept else "/passing", commit)

    def forget(self, commit: str) -> None:
        self.passing.remove(commit)

    def folder(self, name: str, files: Mapping[str, bytes]) -> Path:
        if name.endswith("-home"):
            self.homes.append(name)
        else:
            self.files = dict(files)
            self.folders.append(self.files)
        return Path("/folders", name)

    def remove(self, name: str) -> None:
        self.removed.append(name)

    def remove_all(self) -> None:
        self.removed.append("all")


class Tree:
    """A vault with the same files at every commit."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def list(self, commit: str, prefix: str = "") -> tuple[str, ...]:
        return tuple(path for path in self._files if path.startswith(prefix))

    def changes(self, old: str, new: str, most: int | None = None) -> tuple[Change, ...]:
        return ()

    def read(self, commit: str, path: str) -> bytes | None:
        return self._files.get(path)

    def read_link(self, commit: str, path: str) -> bytes | None:
        return None

    def take(self, clone: Path, keep_as: str) -> str:
        return "head"

    def branches_of(self, clone: Path, without: str) -> tuple[str, ...]:
        return ()


class Maps:
    """The map of a tree that never changes, made by the real readers; a fault, and there is none."""

    def __init__(self, files: Mapping[str, bytes], fault: str = "") -> None:
        self._files = {path: extract(text, language_of(path)) for path, text in files.items()}
        self._fault = fault
        self.asked: list[str] = []

    def refresh(self, tree: str = "") -> Refreshed:
        self.asked.append(tree)
        if self._fault:
            raise Unavailable(self._fault, "remove it")
        return Refreshed(tree, len(self._files), 0, 0)

    def load(self, tree: str = "", most_linked: int | None = None) -> RepoMap:
        self.refresh(tree)
        return RepoMap(tree, self._files)


class Words:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def count(self, stems: Sequence[str], tree: str = "") -> Mapping[str, Mapping[str, int]]:
        texts = {path: text.decode().lower() for path, text in self._files.items()}
        return {path: {stem: text.count(stem) for stem in stems if stem in text} for path, text in texts.items()}


class Checkout:
    path = Path("/home/you/project")

    def __init__(self) -> None:
        self.offered: dict[str, str] = {}

    def offer(self, name: str, commit: str) -> str:
        self.offered[name] = commit
        return f"autopilot/{name}"


class World:
    def __init__(self, folder: Path, *outcomes: Outcome, files: Mapping[str, bytes] | None = None, **more: Any) -> None:
        self.ear, self.places = Ear(), Places()
        self.sandbox: Any = more.pop("sandbox", Foretold(*outcomes) if outcomes else None)
        self.blobs = FileBlobs(folder / "blobs", Redactor(more.pop("secrets", {})))
        fields = {
            "journal": None,
            "vault": Tree(files or {}),
            "workspaces": self.places,
            "checkout": Checkout(),
            "sandbox": self.sandbox,
            "layers": more.pop("layers", None),
            "agents": self.ear,
            "blobs": self.blobs,
            "clock": None,
            "transcripts": None,
            "interrupts": Uninterrupted(more.pop("interrupted", "")),
            "forge": more.pop("forge", None),
            "maps": (maps := Maps(files or {}, more.pop("map_fault", ""))),
            "word_search": Words(files or {}),
        }
        self.maps = maps
        self.ports = Ports(**cast(Any, fields))

    def context(self, state: RunState, phase: PhaseState, step: Step, task: str = "") -> StepContext:
        return StepContext(state, phase, step, 1, task, self.ports)

    def told(self, nth: int = 0) -> str:
        """Everything the agent could read in its nth call: its prompt and the files beside it."""
        files = sorted(self.places.folders[nth].items())
        return self.ear.calls[nth].prompt + "".join(f"\n{name}\n{text.decode()}" for name, text in files)
