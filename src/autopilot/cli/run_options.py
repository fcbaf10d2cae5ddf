"""The options of ``autopilot run``: modes, questions to the user, execution, budget and files."""

from __future__ import annotations

import argparse
import math
import shlex
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from autopilot.model.intent import Intent
from autopilot.model.policy import Budget
from autopilot.model.run import Cap
from autopilot.reports.run.caps import cap_option

MAX_PARALLEL = 16
MODES = {
    "complete": "run all outstanding phases in dependency order; a failure blocks only the phases that depend on it",
    "force": "run completed phases again from scratch, on top of the current code",
    "quality": "aim for a score of 9.5: build outstanding phases, refine completed ones",
    "gaps": "fix the deficiencies that lower the score of completed phases, one at a time",
    "lenient": "pass phases with a score of 7.0 (default 9.0), without remediation",
    "visual": "look at user interfaces too, where project.visual_testing describes one that is not enabled",
}
QUESTION_FLAGS = {
    "map": "check whether the phases are described well enough and ask for what is missing; runs no phase",
    "discuss": "discuss the open questions of each phase with you before it is built",
}


def add_modes(run: argparse.ArgumentParser) -> None:
    modes = run.add_argument_group("modes")
    for name, text in MODES.items():
        modes.add_argument(f"--{name}", action="store_true", help=text)
    people = run.add_argument_group("questions to you")
    for name, text in QUESTION_FLAGS.items():
        people.add_argument(f"--{name}", action="store_true", help=text)
    checkpoint = "wait for your approval after every N phases: `autopilot approve` or `autopilot reject`"
    people.add_argument("--checkpoint-every", type=whole_number(1), default=0, metavar="N", help=checkpoint)
    execution = run.add_argument_group("execution")
    parallel = f"run up to N independent phases in parallel (1 to {MAX_PARALLEL})"
    execution.add_argument("--parallel", type=whole_number(1, MAX_PARALLEL), default=1, metavar="N", help=parallel)
    execution.add_argument("--sequential", action="store_true", help="run one phase at a time (the default)")
    execution.add_argument("--fresh", action="store_true", help="archive the unfinished run and start a new one")
    add_accepted(execution)
    dry_run = "print which phases would run, in which order and at what cost; start and record nothing"
    execution.add_argument("--dry-run", action="store_true", help=dry_run)


def add_accepted(group: argparse._ArgumentGroup) -> None:
    red = "begin although this is red before the work: the id of a test, its file, a check such as lint, or all"
    group.add_argument("--accept-red", action="append", default=[], metavar="ID", help=f"{red}; may be repeated")


def add_caps(command: argparse.ArgumentParser) -> None:
    caps = command.add_argument_group("budget of this call, instead of the one in your settings")
    caps.add_argument("--budget-tokens", type=whole_number(1), metavar="N", help="maximum tokens of the whole run")
    per_phase = "maximum {} of one phase"
    number, minutes = whole_number(1), positive_number
    caps.add_argument("--budget-tokens-per-phase", type=number, metavar="N", help=per_phase.format("tokens"))
    caps.add_argument("--budget-minutes-per-phase", type=minutes, metavar="N", help=per_phase.format("minutes"))
    caps.add_argument("--budget-usd", type=positive_number, metavar="USD", help="maximum cost of the whole run")
    caps.add_argument("--budget-minutes", type=positive_number, metavar="N", help="maximum minutes of the whole run")


def add_files(command: argparse.ArgumentParser) -> None:
    files = command.add_argument_group("use without a terminal, such as in CI")
    files.add_argument("--answers", metavar="FILE", help="file with your answers to the questions of the run")
    files.add_argument("--junit", metavar="FILE", help="write the result to FILE as JUnit XML")
    files.add_argument("--summary", metavar="FILE", help="write the result to FILE as Markdown")
    files.add_argument("--sarif", metavar="FILE", help="write what did not hold to FILE as SARIF 2.1.0")
    files.add_argument("--code-quality", metavar="FILE", help="write the same to FILE as GitLab's code quality report")
    ci = "run as a CI job: ask no question, demand caps, write what waits for you to the summary of the job"
    artefact = "import the record in FILE, if it is there, and leave the record of this run in it, for another machine"
    files.add_argument("--artefact", metavar="FILE", help=artefact)
    files.add_argument("--ci", action="store_true", help=ci)


def read_intent(options: argparse.Namespace) -> Intent:
    given = {name: getattr(options, name) for name in Intent.__struct_fields__}
    return Intent(**{**given, "accept_red": tuple(options.accept_red)})


def with_caps(budget: Budget, options: argparse.Namespace) -> Budget:
    """The caps of this call; the cap of a phase is never higher than that of the run."""
    return replace(budget, **{name: getattr(options, f"budget_{name}") for name in named_caps(options)}).limit_phases()


def named_caps(options: argparse.Namespace) -> tuple[str, ...]:
    """The caps that this call sets."""
    return tuple(name for name in Cap if getattr(options, f"budget_{name}"))


def repeated_options(options: argparse.Namespace) -> str:
    """The options of a call that every command suggested by an error must repeat, ready for a shell."""
    caps = (cap_option(name, getattr(options, f"budget_{name}")) for name in named_caps(options))
    return agent_options(options) + "".join(f" {name} {value}" for name, value in caps)


def agent_options(options: argparse.Namespace) -> str:
    """The options of a call that choose its agents, ready for a shell in any folder."""
    script = str(Path(options.script).absolute()) if options.script else ""
    pairs = (("--agent", options.agent), ("--script", script))
    return "".join(f" {name} {shlex.quote(value)}" for name, value in pairs if value)


def recall_options(options: argparse.Namespace, recorded: str) -> None:
    """Take over what ``agent_options`` wrote of an earlier call."""
    arguments = shlex.split(recorded)
    for name, value in zip(arguments[::2], arguments[1::2], strict=True):
        setattr(options, name.removeprefix("--"), value)


def whole_number(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else minimum - 1
        if value < minimum or (maximum is not None and value > maximum):
            limit = f" to {maximum}" if maximum is not None else " up"
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from {minimum}{limit}")
        return value

    return parse


def positive_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not a finite number above zero")
    return value
