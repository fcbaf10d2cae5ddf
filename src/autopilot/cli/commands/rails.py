"""``autopilot rails NAME …``: one rail at a time, for shell workflows. 0 go on, 1 tripped, 2 usage, 3 corrupt."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.api.issue import rails
from autopilot.cli.issue.rails_options import RAILS
from autopilot.cli.saying import complain, say, tell
from autopilot.model.errors import AutopilotError, Interrupted, RecordBroken, UsageError

GO_ON, TRIPPED, USAGE, CORRUPT = 0, 1, 2, 3


def main(options: argparse.Namespace) -> int:
    """Whatever goes wrong is one of four: a workflow that branches on the status must not meet a fifth."""
    try:
        why = _ask(options.name.replace("-", "_"), options.words, options.replay)
    except Interrupted:
        raise
    except AutopilotError as error:
        complain(str(error), error.hint)
        return CORRUPT if isinstance(error, RecordBroken) else USAGE
    if why:
        tell(f"tripped: {_shown(why)}\n")
    return TRIPPED if why else GO_ON


def _ask(name: str, words: list[str], replay: str) -> str | None:
    rail = RAILS.get(name)
    if rail is None:
        said = f"there is no rail {name}" if name else "no rail is named"
        raise UsageError(said, f"one of: {', '.join(RAILS)}")
    most = len(rail.words.split())
    least = most - len(rail.usual)
    if not least <= len(words) <= most:
        raise UsageError(f"{name} was given {len(words)} words", f"autopilot rails {name} {rail.words}".strip())
    if replay and name != "check_red_evidence":
        raise UsageError(f"--replay says nothing to {name}", "it belongs to check_red_evidence")
    more = {"replay": replay} if replay else {}
    return ASKED[name](*words, *rail.usual[len(words) - least :], **more)


def _fingerprint() -> None:
    say(f"{rails.fingerprint(_input())}\n")


def _record_iteration(log: str, iteration: str, step: str, verdict: str, mark: str) -> None:
    rails.record_iteration(_path(log), _number(iteration), _shown(step), verdict, mark)


def _record_halt(log: str, step: str, reason: str, digest: str) -> None:
    rails.record_halt(_path(log), _shown(step), reason, _shown(digest))


def _check_sameness(log: str, step: str) -> str:
    return rails.check_sameness(_path(log), _shown(step))


def _check_stuck(log: str, window: str, step: str) -> str:
    return rails.check_stuck(_path(log), _number(window), _shown(step))


def _check_max_iterations(current: str, limit: str) -> str:
    return rails.check_max_iterations(_number(current), _number(limit))


def _check_log_integrity(log: str, expected: str) -> str:
    return rails.check_log_integrity(_path(log), _number(expected))


def _pin_anchor(pin: str) -> None:
    rails.pin_anchor(_path(pin), _input())


def _check_pin(pin: str, current: str) -> str:
    return rails.check_pin(_path(pin), current)


def _record_red(red: str, test: str, at_file: str, impl: str) -> None:
    rails.record_red(_path(red), test, _shown(at_file), impl)


def _check_red(test: str, impl: str, red: str, folder: str, replay: str = "") -> str:
    # Late: the rails that a loop asks at every turn need neither git nor a sandbox.
    from autopilot.api.issue.red_evidence import check_red_evidence

    where = Path(folder) if folder else _path(red).parent
    if why := check_red_evidence(test, impl, _path(red), where):
        return why
    if not replay:
        tell("nothing was replayed: that it was red rests on the row alone; --replay COMMAND looks for itself\n")
        return ""
    from autopilot.api.issue.replaying import see_red_and_green
    from autopilot.settings.reading import read_settings

    row = rails.find_red(_path(red), test, impl)
    return see_red_and_green(row, replay, where, read_settings()) if row else "the row is gone"


ASKED: dict[str, Callable[..., str | None]] = {
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


def _path(word: str) -> Path:
    if not word:
        raise UsageError("the path is empty", "name a file")
    return Path(word)


def _number(word: str) -> int:
    """Digits and nothing else: a number that is read too kindly would switch a rail off."""
    if not (word.isascii() and word.isdigit() and len(word) <= 18):
        raise UsageError(f'"{word}" is no number', "digits only")
    return int(word)


def _shown(word: str) -> str:
    """An argument may hold bytes that are no text; a record holds only text."""
    return word.encode("utf-8", "backslashreplace").decode()


def _input() -> bytes:
    if sys.stdin is None:
        raise UsageError("there is no standard input", "give the text by a pipe, or from a file with <")
    with translated(Path("/dev/stdin")):
        return sys.stdin.buffer.read()
