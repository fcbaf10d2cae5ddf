"""Reads the user's settings, which alone can widen a permission, from the file and the environment."""

from __future__ import annotations

import json
import math
import os
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.home import state_home
from autopilot.model.agent import Role
from autopilot.model.agent_config import AgentConfig
from autopilot.model.conditions import Conditions
from autopilot.model.egress import OPEN
from autopilot.model.errors import UsageError
from autopilot.model.forge import ForgeConfig
from autopilot.model.notice import Notify
from autopilot.model.pasting import Written, find_headers
from autopilot.model.policy import MAP_TOKENS, AgentSettings, Breaker, Budget, Choice, Evidence, Policy, Timeouts
from autopilot.model.profile import PROFILES
from autopilot.model.telemetry.spans import Telemetry
from autopilot.planning.config.config import MOST_REPEATS
from autopilot.settings.conditions import (
    SetupTable,
    VerifyTable,
    condition_faults,
    doubt_caches,
    doubt_grants,
    make_conditions,
)
from autopilot.settings.faults import find_misfit, find_misspelt, find_unknown
from autopilot.settings.publishing import forge_faults, notify_faults, telemetry_faults
from autopilot.settings.search_path import without_relative_folders
from autopilot.text.toml_span import find_line

if TYPE_CHECKING:
    from autopilot.adapters.agents.known import Roster

MANUAL = "docs/settings.md in Autopilot's own repository lists all keys"
CORRECT = f"correct the file; {MANUAL}"


class SettingsFile(Struct, frozen=True):
    """What is known of the file itself."""

    path: str = ""
    headers: frozenset[str] = frozenset()  # the tables that it opens with a line of their own
    caps: tuple[str, ...] = ()  # that it names
    unknown: tuple[str, ...] = ()  # unknown keys: reported, without effect
    misspelt: tuple[str, ...] = ()  # unknown keys of agents: refused


class Settings(Struct, frozen=True):
    state: Path
    environment: Mapping[str, str]
    budget: Budget = Budget()
    named_caps: tuple[str, ...] = ()  # the caps that this call set
    agent_options: str = ""  # the options of this call that choose its agents, ready for a shell
    agents: Mapping[str, Choice] = {}  # role -> agent or chain of agents; "default" for all other roles
    profiles: Mapping[str, Mapping[str, Choice]] = {}  # the same per model profile; overrides ``agents``
    agent: Mapping[str, AgentConfig] = {}  # by name
    max_wait_minutes: float = AgentSettings().max_wait_minutes
    first_wait_s: float = AgentSettings().first_wait_s
    script: Path | None = None  # of the scripted agent
    confined: bool = True
    shown: tuple[Path, ...] = ()  # folders that every sandbox shows, read-only
    scratch_mb: int | None = None  # what one command may write besides what is kept of it; 2,048 unless given
    memory_mb: int | None = None  # of one command with all it starts; three quarters of the machine's unless given
    caches: tuple[str, ...] = ()  # of package managers, that setups may read
    conditions: Conditions = Conditions()  # of checks and setups; services are the repository's
    self_audit: bool = True
    version_bump: bool = True
    land_before_person: bool = False
    map_tokens: int = MAP_TOKENS
    breaker: Breaker = Breaker()
    timeouts: Timeouts = Timeouts()
    evidence: Evidence = Evidence.full()
    notify: Notify = Notify()
    forge: ForgeConfig = ForgeConfig()
    telemetry: Telemetry = Telemetry()
    file: SettingsFile = SettingsFile()

    def policy(self) -> Policy:
        """The policy of the settings; UsageError when the settings of agents are wrong."""
        policy = Policy(
            budget=self.budget.limit_phases(),
            caps_named=self.named_caps,
            agent_options=self.agent_options,
            confined=self.confined,
            conditions=self.conditions,
            self_audit=self.self_audit,
            version_bump=self.version_bump,
            land_before_person=self.land_before_person,
            map_tokens=self.map_tokens,
            breaker=self.breaker,
            timeouts=self.timeouts,
            evidence=self.evidence,
        )
        from autopilot.settings.agents import check_chains

        self.check_agents()
        roster = self.roster()
        check_chains(roster, self._chain_tables())
        unrestricted = sorted(name for name, config in self.agent.items() if self.confined and config.egress == OPEN)
        providers = {name: roster.provider(name) for name in roster.names()}
        models = {name: found for name in roster.names() if (found := roster.models(name)) is not None}
        waits = (self.max_wait_minutes, self.first_wait_s)
        assignments = AgentSettings(self.agents, self.profiles, providers, *waits, models)
        return replace(policy, assignments=assignments, open_egress=tuple(unrestricted))

    def _chain_tables(self) -> dict[str, Mapping[str, Choice]]:
        """The tables that choose agents, by position; the agents of this call are not from the file."""
        from_call = {"default": self.agents.get("default", ())} if self.agent_options else {}
        from_file = {role: choice for role, choice in self.agents.items() if role not in from_call}
        profiles = {f"{self.source}: [profiles.{name}]": table for name, table in self.profiles.items()}
        return {"": from_call, f"{self.source}: [agents]": from_file, **profiles}

    def doubts(self) -> Iterator[str]:
        """What in the file has no effect, or probably not the effect that the user wants."""
        for key in self.file.unknown:
            yield f"unknown key {key}; it has no effect"
        for role, choice in self.agents.items():
            if not choice:
                yield f"[agents] {role} is empty; it chooses no agent"
        for folder in self.shown:
            if not folder.exists():
                yield f"sandbox_show names {folder}, which does not exist"
        yield from doubt_grants(self.conditions, self.environment)
        yield from doubt_caches(self.caches, self.environment)
        for name, config in self.agent.items():
            if config.key_env and not self.environment.get(config.key_env):
                yield f"[agent.{name}] key_env names {config.key_env}, which is not set in your environment"

    def check_agents(self) -> None:
        """UsageError when the file describes an agent wrongly; the chosen agents are not checked."""
        from autopilot.settings.agents import check_described

        check_described(self.roster(), self.file.misspelt, self.source)

    def roster(self) -> Roster:
        """All agents that this user can choose."""
        # Late: commands that only read settings need no agents.
        from autopilot.adapters.agents.known import Roster

        logins = self.state / "autopilot" / "agents"
        return Roster(logins, self.agent, self.environment, self.script, self.written)

    @property
    def granted(self) -> dict[str, str]:
        """The variables of the user's that commands may be given, with their values: these are secrets."""
        names = (*self.conditions.env, *self.conditions.setup_env)
        return {name: self.environment[name] for name in names if self.environment.get(name)}

    @property
    def telemetry_headers(self) -> dict[str, str]:
        """Headers for the collector of traces, by the variables that hold their values: these are secrets."""
        named = self.telemetry.headers_env.items()
        return {header: self.environment[name] for header, name in named if self.environment.get(name)}

    @property
    def written(self) -> Written:
        """The file, for remedies that say what to write where."""
        return Written(self.source, self.file.headers)

    @property
    def source(self) -> str:
        """The file, as messages name it."""
        return self.file.path


LEAST_MEMORY_MB = 64
MOST_MAP_TOKENS = 50_000  # a map is to save reading, not to take its place


class _Scripted(Struct, frozen=True):
    script: str = ""


class _Limits(Struct, frozen=True):
    max_wait_minutes: float = AgentSettings().max_wait_minutes
    first_wait_s: float = AgentSettings().first_wait_s


class _File(Struct, frozen=True):
    """The keys of settings.toml. Unknown keys may belong to other versions and are ignored, except those of agents."""

    sandbox: str = "on"
    sandbox_show: tuple[str, ...] = ()
    sandbox_memory_mb: int | None = None
    sandbox_scratch_mb: int | None = None
    self_audit: bool = True
    version_bump: bool = True
    land_before_person: bool = False
    map_tokens: int = MAP_TOKENS
    agents: Mapping[str, Choice] = {}
    profiles: Mapping[str, Mapping[str, Choice]] = {}
    agent: Mapping[str, AgentConfig] = {}
    limits: _Limits = _Limits()
    breaker: Breaker = Breaker()
    timeouts: Timeouts = Timeouts()
    budget: Budget = Budget()
    evidence: Evidence = Evidence.full()
    scripted: _Scripted = _Scripted()
    notify: Notify = Notify()
    forge: ForgeConfig = ForgeConfig()
    telemetry: Telemetry = Telemetry()
    verify: VerifyTable = VerifyTable()
    setup: SetupTable = SetupTable()


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    environment = os.environ if environment is None else environment
    path = _settings_path(environment)
    return _make_settings(environment, *_read(path))


def default_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings as if there were no file, for a command that reports what is wrong with it."""
    environment = os.environ if environment is None else environment
    return _make_settings(environment, _File(), SettingsFile(str(_settings_path(environment))))


def _make_settings(environment: Mapping[str, str], file: _File, known: SettingsFile) -> Settings:
    script = Path(file.scripted.script).expanduser() if file.scripted.script else None
    return Settings(
        state=state_home(environment),
        environment=without_relative_folders(environment),
        budget=file.budget,
        agents=_known_roles(file.agents),
        profiles={name: _known_roles(table) for name, table in file.profiles.items()},
        agent=file.agent,
        max_wait_minutes=file.limits.max_wait_minutes,
        first_wait_s=file.limits.first_wait_s,
        script=script,
        confined=file.sandbox != "off",
        memory_mb=file.sandbox_memory_mb,
        scratch_mb=file.sandbox_scratch_mb,
        conditions=make_conditions(file.verify, file.setup),
        caches=file.setup.caches,
        shown=tuple(Path(folder).expanduser() for folder in file.sandbox_show),
        self_audit=file.self_audit,
        version_bump=file.version_bump,
        land_before_person=file.land_before_person,
        map_tokens=file.map_tokens,
        breaker=file.breaker,
        timeouts=file.timeouts,
        evidence=file.evidence,
        notify=file.notify,
        forge=file.forge,
        telemetry=file.telemetry,
        file=known,
    )


def _known_roles(table: Mapping[str, Choice]) -> dict[str, Choice]:
    """Without misspelt roles, which are reported: no step has them."""
    return {role: choice for role, choice in table.items() if role in ("default", *Role)}


def _read(path: Path) -> tuple[_File, SettingsFile]:
    """Its keys, and what is known of it besides."""
    loaded = _load(path)
    if loaded is None:
        return _File(), SettingsFile(str(path))
    text, data = loaded
    if isinstance(data.get("evidence"), dict):
        # The table switches single layers off; layers that it does not name stay on.
        data["evidence"] = {**msgspec.structs.asdict(Evidence.full()), **data["evidence"]}
    if (sandbox := data.get("sandbox", "on")) not in ("on", "off"):
        wrong = f'{path}: sandbox is {json.dumps(sandbox, default=str)}, which is neither "on" nor "off"'
        raise UsageError(wrong, 'write sandbox = "on" or sandbox = "off"')
    try:
        file = msgspec.convert(data, _File)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {find_misfit(data, _File) or error}", CORRECT) from error
    _refuse_figures(path, file, text)
    for wrong, remedy in _faults(file):
        raise UsageError(f"{path}: {wrong}", remedy)
    known = _sections()
    misspelt = tuple(find_misspelt(data, [name for name in known if name]))
    unknown = tuple(find_unknown(data, known, text))
    return file, SettingsFile(str(path), find_headers(text), tuple(data.get("budget", {})), unknown, misspelt)


def _load(path: Path) -> tuple[str, dict[str, Any]] | None:
    """Its text and what that says; None where there is no file."""
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder, not a file", "remove it, or put the file in its place") from None
    except OSError as error:
        remedy = f"make it readable for you: chmod u+r {shlex.quote(str(path))}"
        raise UsageError(f"{path} cannot be read: {error.strerror}", remedy) from error
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text file in UTF-8", "save it as UTF-8") from None
    except RecursionError:
        raise UsageError(f"{path} is nested too deeply", CORRECT) from None
    except ValueError as error:  # a number of thousands of digits is no TOMLDecodeError
        raise UsageError(f"{path} is not valid TOML: {error}", CORRECT) from error


def _faults(file: _File) -> Iterator[tuple[str, str]]:
    """What no type can say of the values, each with its remedy."""
    for key in ("sandbox_memory_mb", "sandbox_scratch_mb"):
        given = getattr(file, key)
        if given is not None and given < LEAST_MEMORY_MB:
            remedy = f"write a whole number of megabytes, {LEAST_MEMORY_MB} or more"
            yield f"{key} is {given}, too little for any command", remedy
    for folder in file.sandbox_show:
        is_whole = Path(folder).expanduser().is_absolute()
        if not is_whole or Path(folder).expanduser() == Path("/"):
            kind = "a single folder" if is_whole else "an absolute path"
            remedy = "write whole paths of single folders, such as /opt/sdk or ~/.cache/models"
            yield f'sandbox_show names "{folder}", which is not {kind}', remedy
    yield from condition_faults(file.verify, file.setup)
    yield from ((f"[notify] {wrong}", remedy) for wrong, remedy in notify_faults(file.notify))
    yield from ((f"[forge] {wrong}", remedy) for wrong, remedy in forge_faults(file.forge))
    yield from ((f"[telemetry] {wrong}", remedy) for wrong, remedy in telemetry_faults(file.telemetry))


# Where 0 would end everything as soon as it begins; every key of [timeouts] is of that kind.
_AT_LEAST_ONE = ("no_progress", "same_error")
_ENDED = {"timeouts": "each such call would time out", "breaker": "each phase would be stopped"}


def _refuse_figures(path: Path, file: _File, text: str) -> None:
    """Refuse `inf` and `nan`: TOML allows them, but no record with one can be read again. Refuse a 0 that ends all."""
    tables = {"limits": file.limits, "budget": file.budget, "breaker": file.breaker, "timeouts": file.timeouts}
    for name, table in tables.items():
        for key in table.__struct_fields__:
            figure = getattr(table, key)
            if not math.isfinite(figure) or figure < 0:
                wrong = f"{path}: [{name}] {key} is {figure:g}, not a finite number of 0 or more"
                raise UsageError(wrong, "write a number of 0 or more; use a large one for no cap")
            if figure == 0 and (name == "timeouts" or key in _AT_LEAST_ONE):
                default = getattr(type(table)(), key)
                remedy = f"write a number above zero, or remove the line: the default is {default:g}"
                wrong = f"{_place(path, text, name, key)} is 0: {_ENDED[name]} before it has done anything"
                raise UsageError(wrong, remedy)
    if not 0 <= file.evidence.repeats <= MOST_REPEATS:
        wrong = f"{path}: [evidence] repeats is {file.evidence.repeats}, not a number from 0 to {MOST_REPEATS}"
        raise UsageError(wrong, f"write a whole number from 0 to {MOST_REPEATS}")
    if not 0 <= file.map_tokens <= MOST_MAP_TOKENS:
        wrong = f"{path}: map_tokens is {file.map_tokens:,}, not a number from 0 to {MOST_MAP_TOKENS:,}"
        raise UsageError(wrong, f"write a whole number from 0 (no map in prompts) to {MOST_MAP_TOKENS:,}")
    if not file.limits.first_wait_s > 0:
        wrong = f"{path}: [limits] first_wait_s is 0, and a wait must be longer than that"
        raise UsageError(wrong, "write a number of seconds above zero")


def _place(path: Path, text: str, table: str, key: str) -> str:
    line = find_line(text, (table, key))
    return f"{path}:{line}: [{table}] {key}" if line else f"{path}: [{table}] {key}"


def _sections() -> dict[str, tuple[str, ...]]:
    """The known keys of every section, except those of agents."""
    kinds = {"": _File, "budget": Budget, "evidence": Evidence, "breaker": Breaker, "timeouts": Timeouts}
    kinds |= {"verify": VerifyTable, "setup": SetupTable}
    kinds |= {"scripted": _Scripted, "limits": _Limits, "notify": Notify, "forge": ForgeConfig, "telemetry": Telemetry}
    known: dict[str, tuple[str, ...]] = {name: kind.__struct_fields__ for name, kind in kinds.items()}
    known |= {"agents": ("default", *Role), "profiles": PROFILES}
    return known | {f"profiles.{name}": ("default", *Role) for name in PROFILES}


def _settings_path(environment: Mapping[str, str]) -> Path:
    xdg = Path(environment.get("XDG_CONFIG_HOME", ""))
    folder = xdg if xdg.is_absolute() else Path(environment.get("HOME", "/")) / ".config"
    return folder / "autopilot" / "settings.toml"
