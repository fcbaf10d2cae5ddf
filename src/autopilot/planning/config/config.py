"""``.planning/config.json``: what the repository asks for. It can only narrow what the user's settings allow."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.planning.complaint import Complaint
from autopilot.model.policy import (
    CHECKS,
    Breaker,
    Budget,
    Choice,
    Commands,
    Evidence,
    Interface,
    Parallelism,
    Policy,
    Timeouts,
    parse_assignments,
)
from autopilot.model.profile import PROFILES
from autopilot.model.visual.subject import VisualTesting
from autopilot.planning.config.conditions import Wanted, narrow_conditions, read_wanted
from autopilot.planning.config.reader import Reader
from autopilot.planning.config.visual import KEYS as VISUAL_KEYS
from autopilot.planning.config.visual import TABLE as VISUAL
from autopilot.planning.config.visual import read_visual
from autopilot.text.json_span import find, insert_member

COMMAND_NAMES = ("setup", "compile", "lint", "build", "test")
# By the path of their table. Other programs keep keys of their own in this file.
KNOWN_KEYS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    (): (
        *("project", "model_profile", "workflow", "planning", "commit_docs", "autopilot"),
        *("circuit_breaker_config", "parallelization", "response_language", "verify", "setup"),
    ),
    ("project",): ("commands", "packages", "ui", "spec_paths", "accept_red", "visual_testing"),
    VISUAL: VISUAL_KEYS,
    ("project", "commands"): COMMAND_NAMES,
    ("verify",): ("services", "network", "ports", "env"),
    ("setup",): ("env",),
    ("autopilot",): (
        *("timeouts_s", "agents", "verifier_min_s", "self_audit", "version_bump", "evidence", "map_tokens", "planning"),
    ),
}
LAYERS = tuple(name for name in Evidence.__struct_fields__ if name != "repeats")
MOST_REPEATS = 20
LONGEST_NAME = 40
# Where GSD and the sources keep the caps that our budget has too.
_CAPS = {
    "cost_cap_tokens_total": "tokens",
    "cost_cap_tokens_per_phase": "tokens_per_phase",
    "wall_clock_timeout_minutes_total": "minutes",
    "wall_clock_timeout_minutes_per_phase": "minutes_per_phase",
}
_BREAKER = {
    "no_progress_threshold": "no_progress",
    "same_error_threshold": "same_error",
    "max_debug_attempts_per_phase": "debugs_per_phase",
    "max_replan_attempts_per_phase": "replans_per_phase",
    "max_total_retries_per_run": "retries_per_run",
}
_STRICTER = ("output_degradation_pct", "cooldown_minutes")  # for these two, more is stricter
_TIMEOUTS = {name: name for name in Timeouts.__struct_fields__}
# Tables that no other program has: a key that is unknown there is always named.
OWN_KEYS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("autopilot",): KNOWN_KEYS[("autopilot",)],
    ("autopilot", "timeouts_s"): tuple(_TIMEOUTS),
    ("autopilot", "evidence"): (*LAYERS, "repeats"),
}

Limits = TypeVar("Limits", Budget, Breaker, Timeouts)


class Config(Struct, frozen=True):
    path: str = ".planning/config.json"
    commands: Commands = Commands()
    conditions: Wanted = Wanted()
    packages: Mapping[str, Commands] = {}  # the checks of each package, by folder; "" is the root
    commands_written: frozenset[str] = frozenset()  # names the user wrote, null included: never overwritten
    ui_source_dir: str = ""
    ui_extensions: tuple[str, ...] = ()
    visual: VisualTesting | None = None
    spec_paths: tuple[str, ...] = ()
    accept_red: tuple[str, ...] = ()  # ids of tests or checks that may be red before the work
    model_profile: str = ""
    research: bool = True
    commit_docs: bool = True
    timeouts_s: Mapping[str, float] = {}
    agents: Mapping[str, Choice] = {}  # by role
    caps: Mapping[str, float] = {}  # circuit_breaker_config, as written
    verifier_min_s: float = 0.0
    self_audit: bool = True
    version_bump: bool = True
    map_tokens: int | None = None  # None: as the user's settings say
    evidence: Mapping[str, bool] = {}  # layers by name, as written
    repeats: int = 0
    at_once: int = 0  # how many agents may be at work; 0 when it does not say
    response_language: str = ""
    planning: str = ""  # which planning format counts, where there are several
    complaints: tuple[Complaint, ...] = ()


def parse_config(text: str, path: str) -> Config:
    """Unknown keys are ignored, and named where they look misspelt.

    A file that is not a JSON object is refused: its limits are unknown.
    """
    reader = Reader(text, path, _load(text, path), [])
    reader.name_misspelt({**KNOWN_KEYS, ("circuit_breaker_config",): (*_CAPS, *_BREAKER, *_STRICTER)})
    reader.name_unknown(OWN_KEYS)
    commands = {name: reader.text("project", "commands", name) or None for name in COMMAND_NAMES}
    written = reader.mapping("project", "commands")
    return Config(
        path,
        Commands(**commands),
        read_wanted(reader),
        _packages(reader),
        frozenset(name for name in COMMAND_NAMES if name in written),
        ui_source_dir=reader.text("project", "ui", "source_dir"),
        ui_extensions=reader.texts("project", "ui", "file_extensions"),
        visual=read_visual(reader),
        spec_paths=tuple(entry for entry in reader.texts("project", "spec_paths") if reader.inside(entry)),
        accept_red=reader.texts("project", "accept_red"),
        model_profile=reader.choice(PROFILES, "model_profile"),
        research=reader.flag(True, "workflow", "research"),
        commit_docs=reader.flag(True, "planning", "commit_docs") and reader.flag(True, "commit_docs"),
        timeouts_s=reader.numbers("autopilot", "timeouts_s"),
        agents=reader.agents("autopilot", "agents"),
        caps=reader.numbers("circuit_breaker_config"),
        verifier_min_s=reader.number("autopilot", "verifier_min_s"),
        self_audit=reader.flag(True, "autopilot", "self_audit"),
        version_bump=reader.flag(True, "autopilot", "version_bump"),
        map_tokens=int(reader.number("autopilot", "map_tokens"))
        if "map_tokens" in reader.mapping("autopilot")
        else None,
        evidence=reader.flags(LAYERS, "autopilot", "evidence"),
        repeats=min(MOST_REPEATS, int(reader.number("autopilot", "evidence", "repeats"))),
        at_once=_agents_at_once(reader),
        response_language=_one_line(reader.text("response_language")),
        planning=reader.text("autopilot", "planning"),
        complaints=tuple(reader.complaints),
    )


def _load(text: str, path: str) -> dict[str, Any]:
    """Its keys; UsageError for what no record could take, and for what is no object."""
    try:
        data = json.loads(text)
        if "\\ud" in text.lower():
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _not_json(text, path, error) from error
    except UnicodeEncodeError as error:  # no command and no record takes it
        lone = f"{path} contains a lone surrogate escape, such as \\ud83d"
        raise UsageError(lone, hint="write the whole character, or remove the escape") from error
    except ValueError as error:  # the interpreter's limit on digits
        limit = f"a number of more than {sys.get_int_max_str_digits()} digits"
        raise UsageError(f"{path}: {limit} is not read", hint="shorten that number") from error
    except RecursionError as error:
        raise UsageError(f"{path} is nested too deeply to be read", hint="flatten it") from error
    if not isinstance(data, dict):
        raise UsageError(f"{path} is not a JSON object", hint=f"write an object into {path}, at least {{}}")
    return data


def _packages(reader: Reader) -> dict[str, Commands]:
    """A package without any check says nothing: it is left out."""
    folders = [folder for folder in reader.mapping("project", "packages") if reader.inside(folder)]
    found = {
        folder.strip("/"): Commands(
            **{name: reader.text("project", "packages", folder, name) or None for name in CHECKS}
        )
        for folder in folders
    }
    return {folder: commands for folder, commands in found.items() if commands.checks()}


def _not_json(text: str, path: str, error: json.JSONDecodeError) -> UsageError:
    """What is wrong behind the last character is named with the last line, not with one that is not there."""
    is_end = error.pos >= len(text.rstrip())
    line = text.rstrip().count("\n") + 1 if is_end else error.lineno
    where = ", at the end of the file" if is_end else ""
    before = text[: error.pos].rstrip()
    if before.endswith(",") and text[error.pos : error.pos + 1] in ("}", "]"):
        line = before.count("\n") + 1
        return UsageError(f"{path}:{line}: not valid JSON: a comma before a closing bracket", "remove that comma")
    return UsageError(f"{path}:{line}: not valid JSON{where}: {error.msg}", hint=f"correct line {line} of {path}")


def _agents_at_once(reader: Reader) -> int:
    """0 when it does not say. GSD also writes `"parallelization": true`, which names no number."""
    if not isinstance(reader.data.get("parallelization"), dict):
        return 0
    return int(reader.number("parallelization", "max_concurrent_agents", above_zero=True))


def _one_line(text: str) -> str:
    """The name of a language, limited in length: it is passed to agents."""
    return " ".join(text.split())[:LONGEST_NAME]


def narrow(policy: Policy, config: Config) -> tuple[Policy, tuple[Complaint, ...]]:
    """The policy with the repository's limits where they narrow it; one that would widen it is reported and ignored.

    Commands the repository names replace detected ones. An agent is taken where the user's settings name none.
    """
    agents, complaints = _known_agents(policy, config)

    def complain(message: str) -> None:
        complaints.append(Complaint(config.path, 0, message))

    at_once = config.at_once or max(policy.parallel.parts, policy.parallel.phases)
    budget = _tighten(policy.budget, config.caps, _CAPS, complain)
    return replace(
        policy,
        commands=merge_commands(config, policy.commands),
        packages=config.packages,
        conditions=narrow_conditions(policy.conditions, config.conditions, complain),
        research=policy.research and config.research,
        commit_docs=policy.commit_docs and config.commit_docs,
        budget=budget,
        caps_of_config=tuple(n for n in _CAPS.values() if getattr(budget, n) != getattr(policy.budget, n)),
        breaker=_tighten_breaker(policy, config, complain),
        timeouts=_tighten(policy.timeouts, config.timeouts_s, _TIMEOUTS, complain),
        verifier_min_s=max(policy.verifier_min_s, config.verifier_min_s),
        self_audit=policy.self_audit and config.self_audit,
        version_bump=policy.version_bump and config.version_bump,
        map_tokens=policy.map_tokens if config.map_tokens is None else min(policy.map_tokens, config.map_tokens),
        evidence=_demanded(policy.evidence, config, complaints),
        # A higher number of agents than the policy allows is no request for more: it is ignored without a complaint.
        parallel=Parallelism(min(policy.parallel.parts, at_once), min(policy.parallel.phases, at_once)),
        accept_red=config.accept_red,
        interface=Interface(config.ui_source_dir, config.ui_extensions, config.visual),
        response_language=config.response_language or policy.response_language,
        assignments=replace(policy.assignments, agents={**agents, **policy.assignments.agents}),
        model_profile=config.model_profile or policy.model_profile,
    ), tuple(complaints)


def _tighten(
    current: Limits, wanted: Mapping[str, float], fields: Mapping[str, str], complain: Callable[[str], None]
) -> Limits:
    """The limits, each with what the repository wants where that is less; ``fields`` names ours by its keys."""
    changes: dict[str, Any] = {}
    for key, field in fields.items():
        if key not in wanted:
            continue
        old = getattr(current, field)
        # Of the budget, the cap of a phase may be open: it ends at the run's.
        bound = "tokens" if isinstance(current, Budget) and not old else field
        allowed = getattr(current, bound)
        if wanted[key] <= allowed:
            changes[field] = type(old)(wanted[key])
        else:
            complain(_too_much(key, wanted[key], bound, allowed, current))
    return replace(current, **changes)


def _too_much(key: str, wanted: float, field: str, allowed: float, limits: Limits) -> str:
    """With the key of the user's settings that raises it."""
    place = "autopilot.timeouts_s" if isinstance(limits, Timeouts) else "circuit_breaker_config"
    bound = f"{_whole(allowed)} of your settings ([{type(limits).__name__.lower()}] {field})"
    return f"{place}.{key} is {_whole(wanted)}, above the {bound}: {_whole(allowed)} is used"


def _whole(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else f"{number:,}"


def _tighten_breaker(policy: Policy, config: Config, complain: Callable[[str], None]) -> Breaker:
    breaker = _tighten(policy.breaker, config.caps, _BREAKER, complain)
    degraded = config.caps.get(_STRICTER[0], 0.0) / 10
    cooldown = config.caps.get(_STRICTER[1], 0.0)
    return replace(
        breaker,
        degraded_below=max(breaker.degraded_below, min(degraded, policy.pass_threshold)),
        cooldown_minutes=max(breaker.cooldown_minutes, cooldown),
    )


def _known_agents(policy: Policy, config: Config) -> tuple[dict[str, Choice], list[Complaint]]:
    """The repository's choices among the agents there are: what an agent is, the user's settings alone can say."""
    taken: dict[str, Choice] = {}
    complaints = []
    for role, choice in config.agents.items():
        named = [assignment.agent for assignment in parse_assignments(choice)]
        unknown = [agent for agent in named if agent not in policy.assignments.providers]
        if unknown:
            message = f"autopilot.agents.{role} names `{unknown[0]}`, which is not an agent of your settings: ignored"
            complaints.append(Complaint(config.path, 0, message))
        else:
            taken[role] = choice
    return taken, complaints


def _demanded(allowed: Evidence, config: Config, complaints: list[Complaint]) -> Evidence:
    """More evidence is stricter: a repository may ask for a layer, and switch none off."""
    for name, on in config.evidence.items():
        if not on and getattr(allowed, name):
            message = f"autopilot.evidence.{name} is false, but only your own settings can switch it off: ignored"
            complaints.append(Complaint(config.path, 0, message))
    wanted = {name: on or getattr(allowed, name) for name, on in config.evidence.items()}
    return replace(allowed, **wanted, repeats=max(allowed.repeats, config.repeats))


def merge_commands(config: Config, detected: Commands) -> Commands:
    """What the user wrote, null included, before what was detected."""
    written = {name: getattr(config.commands, name) for name in config.commands_written}
    return replace(detected, **written)


def set_commands(text: str, commands: Commands, without: Collection[str] = ()) -> str:
    """Add the commands that are missing under ``project.commands``; every other byte stays as it is.

    ``without``: those that do not apply, written as null so that no run detects them anew.
    """
    found: dict[str, str | None] = {name: getattr(commands, name) for name in COMMAND_NAMES}
    wanted = {name: value for name, value in found.items() if value or name in without}
    if not text.strip():
        return json.dumps({"project": {"commands": wanted}}, indent=2, ensure_ascii=False) + "\n" if wanted else text
    parse_config(text, ".planning/config.json")
    for name, command in wanted.items():
        if find(text, ["project", "commands", name]) is None:
            text = _insert(text, ["project", "commands", name], json.dumps(command, ensure_ascii=False))
    return text


def set_packages(text: str, packages: Mapping[str, Commands]) -> str:
    """Add the checks of each package under ``project.packages``, unless the user has written something there."""
    found = {folder: dict(commands.checks()) for folder, commands in packages.items() if commands.checks()}
    if len(found) < 2 or find(text, ["project", "packages"]) is not None:
        return text
    if text.strip():
        return _insert(text, ["project", "packages"], json.dumps(found, ensure_ascii=False))
    return json.dumps({"project": {"packages": found}}, indent=2, ensure_ascii=False) + "\n"


def _insert(text: str, keys: list[str], rendered: str) -> str:
    """Insert below the deepest object of the path that exists. A parent that is not an object is the user's: kept."""
    for depth in range(len(keys) - 1, -1, -1):
        parent = find(text, keys[:depth]) if depth else None
        if depth and parent is None:
            rendered = f"{{{json.dumps(keys[depth])}: {rendered}}}"
            continue
        start = parent.start if parent else text.index("{")
        return insert_member(text, start, keys[depth], rendered) if text[start] == "{" else text
    return text
