"""Any agent that speaks the Agent Client Protocol, spoken to by a program of ours that runs beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.agents.acp import bridge as acp_bridge
from autopilot.adapters.agents.acp import presets as acp_presets
from autopilot.adapters.agents.acp.presets import AcpPreset
from autopilot.adapters.agents.acp.reading import read
from autopilot.adapters.agents.dialect import Desk, Login, Program, Spelling
from autopilot.adapters.agents.instruction import json_instruction
from autopilot.adapters.agents.listening import PartialReply
from autopilot.adapters.agents.npm import find_program
from autopilot.model.agent import AgentCall
from autopilot.model.errors import AgentMissing

BRIDGE = PurePosixPath(acp_bridge.__file__)
PACKAGE = BRIDGE.parents[2]
# Shown in every sandbox anyway.
ALWAYS_SHOWN = PurePosixPath("/usr")


class Order(Struct, frozen=True):
    """The bridge's instructions, as JSON."""

    argv: tuple[str, ...]
    libraries: tuple[str, ...]
    session: str = ""
    model: str = ""
    modes: tuple[str, ...] = ()
    auth: tuple[str, ...] = ()
    meta: Mapping[str, Any] = {}
    closing: str = ""  # put after the prompt


class AcpDialect:
    def __init__(self, preset: AcpPreset = acp_presets.GENERIC) -> None:
        self._preset = preset

    @classmethod
    def opencode(cls) -> AcpDialect:
        return cls(acp_presets.OPENCODE)

    @classmethod
    def gemini(cls) -> AcpDialect:
        return cls(acp_presets.GEMINI)

    @classmethod
    def claude(cls) -> AcpDialect:
        return cls(acp_presets.CLAUDE)

    @classmethod
    def codex(cls) -> AcpDialect:
        return cls(acp_presets.CODEX)

    @property
    def program(self) -> str:
        return self._preset.program

    @property
    def login(self) -> Login:
        return self._preset.login

    def locate(self, found: Path) -> Program:
        """The version of a known one is its package's: that takes no start, which takes seconds.

        All others are asked over the protocol. Many have no other way to say it, and behind their program (npx, node)
        may be another package than theirs.
        """
        program = find_program(found)
        ask = (*_bridge(), "--meet", ":".join(find_libraries()), str(program.path), *self._preset.arguments)
        version = program.version if self._preset.program else ""
        return replace(program, shown=(*program.shown, *_shown()), version=version, ask_version=ask)

    def spell(self, call: AgentCall, desk: Desk) -> Spelling:
        preset, setting = self._preset, self._preset.settle(call, desk)
        order = Order(
            argv=(str(desk.program.path), *preset.arguments, *setting.arguments, *desk.config.args),
            libraries=find_libraries(),
            session=call.session,
            model=call.model if preset.chooses_model else "",
            modes=preset.modes,
            auth=preset.auth if desk.key else (),
            meta=setting.meta,
            closing=json_instruction(call.schema),
        )
        return Spelling(
            argv=(*_bridge(), str(desk.private / "order.json")),
            env=setting.env,
            files={"order.json": msgspec.json.encode(order)},
            home_files=setting.home_files,
        )

    def read(self, lines: Iterable[bytes], call: AgentCall, desk: Desk) -> Iterator[PartialReply]:
        for partial in read(lines, call, self._preset):
            estimated = self._preset.priced_by_us and bool(desk.config.base_url and partial.usage.usd)
            yield replace(partial, usage=replace(partial.usage, usd_is_estimate=estimated))


@cache
def find_libraries() -> tuple[str, ...]:
    """Where the protocol's library and what it needs are installed. It is not loaded here: that takes a second."""
    found = [find_spec(name) for name in ("acp", "pydantic")]
    places = [Path(spec.origin).parents[1] for spec in found if spec and spec.origin]
    if len(places) < len(found):
        hint = "run: pip install 'autopilot-roadmap[acp]' (in a clone of Autopilot: make dev)"
        raise AgentMissing("agents that speak ACP need the Python package agent-client-protocol", hint)
    return tuple(dict.fromkeys(str(place) for place in places))


def _bridge() -> tuple[str, ...]:
    return (str(_python()), "-I", "-S", str(BRIDGE))


def _python() -> PurePosixPath:
    return PurePosixPath(Path(sys.executable).resolve())


def _shown() -> Iterator[PurePosixPath]:
    yield PACKAGE
    yield from (PurePosixPath(folder) for folder in find_libraries())
    if not _python().is_relative_to(ALWAYS_SHOWN):
        yield _python().parents[1]  # …/bin/python3: the standard library lies beside bin
