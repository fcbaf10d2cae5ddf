"""``autopilot rails NAME …``: one rail, for shell workflows. Exit 0 passed, 1 tripped, 2 usage, 3 corrupt record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.api.issue import rails
from autopilot.cli.issue.rails_options import RAILS
from autopilot.cli.output import print_error, print_message, print_output
from autopilot.model.errors import AutopilotError, Interrupted, RecordBroken, UsageError
from autopilot.reports.markdown import shorten

PASSED, TRIPPED, USAGE, CORRUPT = 0, 1, 2, 3
MAX_DIGITS = 18
MOST_SHOWN = 40  # characters of an argument


def main(options: argparse.Namespace) -> int:
    """Only four exit statuses exist, because shell workflows branch on them."""
    try:
        reason = _run_rail(options.name.replace("-", "_"), options.arguments, options.replay)
    except Interrupted:
        raise
    except AutopilotError as error:
        print_error(str(error), error.hint)
        return CORRUPT if isinstance(error, RecordBroken) else USAGE
    if reason:
        print_message(f"tripped: {_printable(reason)}\n")
    return TRIPPED if reason else PASSED


def _run_rail(name: str, arguments: list[str], replay: str) -> str | None:
    rail = RAILS.get(name)
    if rail is None:
        message = f"there is no rail named {name}" if name else "no rail was named"
        raise UsageError(message, f"choose one of: {', '.join(RAILS)}")
    names = rail.arguments.split()
    minimum = len(names) - len(rail.defaults)
    usage = f"write: autopilot rails {name} {rail.arguments}".strip()
    if len(arguments) < minimum:
        raise UsageError(f"{name} needs {' '.join(names[len(arguments) : minimum])}", usage)
    if len(arguments) > len(names):
        takes = f"takes only {rail.arguments}" if names else "takes no arguments; it reads standard input"
        raise UsageError(f"{name} {takes}: remove {' '.join(arguments[len(names) :])}", usage)
    if replay and name != "check_red_evidence":
        raise UsageError(f"{name} has no option --replay", "use --replay with check_red_evidence only")
    extra = {"replay": replay} if replay else {}
    return COMMANDS[name](*arguments, *rail.defaults[len(arguments) - minimum :], **extra)


def _fingerprint() -> None:
    print_output(f"{rails.fingerprint(_read_stdin())}\n")


def _record_iteration(log: str, iteration: str, step: str, verdict: str, fingerprint: str) -> None:
    number = _parse_number(iteration, "IT")
    rails.record_iteration(_parse_path(log), number, _printable(step), _printable(verdict), fingerprint)


def _record_halt(log: str, step: str, reason: str, digest: str) -> None:
    rails.record_halt(_parse_path(log), _printable(step), reason, _printable(digest))


def _check_sameness(log: str, step: str) -> str:
    return rails.check_sameness(_parse_path(log), _printable(step))


def _check_stuck(log: str, window: str, step: str) -> str:
    return rails.check_stuck(_parse_path(log), _parse_number(window, "WINDOW"), _printable(step))


def _check_max_iterations(current: str, limit: str) -> str:
    return rails.check_max_iterations(_parse_number(current, "CUR"), _parse_number(limit, "MAX"))


def _check_log_integrity(log: str, expected: str) -> str:
    return rails.check_log_integrity(_parse_path(log), _parse_number(expected, "EXPECTED"))


def _pin_anchor(pin: str) -> None:
    rails.pin_anchor(_parse_path(pin), _read_stdin())


def _check_pin(pin: str, current: str) -> str:
    return rails.check_pin(_parse_path(pin), current)


def _record_red(red: str, test: str, at_file: str, impl: str) -> None:
    rails.record_red(_parse_path(red), test, _printable(at_file), impl)


def _check_red(test: str, impl: str, red: str, folder: str, replay: str = "") -> str:
    # Late: the other rails, called at every iteration, need neither git nor a sandbox.
    from autopilot.api.issue.red_evidence import check_red_evidence, folder_of

    repository = Path(folder) if folder else folder_of(_parse_path(red))
    if reason := check_red_evidence(test, impl, _parse_path(red), repository):
        return reason
    if not replay:
        print_message(
            "not replayed: the recorded row is the only evidence that the test failed; --replay COMMAND runs it\n"
        )
        return ""
    from autopilot.api.issue.replay import replay_red_and_green
    from autopilot.settings.reading import read_settings

    row = rails.find_red(_parse_path(red), test, impl)
    return (
        replay_red_and_green(row, replay, repository, read_settings()) if row else "the recorded row has been removed"
    )


COMMANDS: dict[str, Callable[..., str | None]] = {
    "fingerprint": _fingerprint,
    "record_iteration": _record_iteration,
    "record_halt": _record_halt,
    "check_sameness": _check_sameness,
    "check_stuck": _check_stuck,
    "check_max_iterations": _check_max_iterations,
    "check_log_integrity": _check_log_integrity,
    "pin_anchor": _pin_anchor,
    "check_pin": _check_pin,
    "record_red_evidence": _record_red,
    "check_red_evidence": _check_red,
}


def _parse_path(argument: str) -> Path:
    if not argument:
        raise UsageError("the file name is empty", "name a file")
    return Path(argument)


def _parse_number(argument: str, name: str) -> int:
    """Digits only: a leniently parsed number could switch a rail off."""
    if not (argument.isascii() and argument.isdigit()):
        raise UsageError(f'{name} is invalid: "{shorten(argument, MOST_SHOWN)}" is not a number', "write digits only")
    if len(argument) > MAX_DIGITS:
        largest = f"the largest number allowed is {10**MAX_DIGITS - 1}"
        raise UsageError(f"{name} is {shorten(argument, MOST_SHOWN)}, which is too large", largest)
    return int(argument)


def _printable(argument: str) -> str:
    """An argument may contain bytes that are not UTF-8; a record contains only text."""
    return argument.encode("utf-8", "backslashreplace").decode()


def _read_stdin() -> bytes:
    if sys.stdin is None:
        raise UsageError("standard input is closed", "pass the text through a pipe, or from a file with <")
    with translated(Path("/dev/stdin")):
        return sys.stdin.buffer.read()
