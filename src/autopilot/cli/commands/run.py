"""``autopilot run``"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.flag_refusals import record_refusal
from autopilot.cli.commands.dry_run import print_forecast
from autopilot.cli.run_driver import drive_run
from autopilot.cli.run_options import read_intent
from autopilot.model.errors import UsageError
from autopilot.model.run import RunRequest
from autopilot.planning.choosing.flags import judge_flags, spell_call, without
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    request = RunRequest(
        phases=tuple(options.phases),
        fresh=options.fresh,
        skip_cooldown=options.now,
        intent=read_intent(options),
        words=shlex.join(("autopilot", *options.written)),
    )
    _check_flags(request, options)
    if options.dry_run:
        return print_forecast(request, options)
    return drive_run(request, options, spell_call(request.intent, options.phases))


def _check_flags(request: RunRequest, options: argparse.Namespace) -> None:
    """UsageError for flags that exclude each other, before anything starts; the newest run records the refusal."""
    judged = judge_flags(request.intent, fresh=request.fresh, dry_run=options.dry_run)
    if judged.clashes:
        settings = read_settings()
        if not options.dry_run:
            record_refusal(find_repository(Path.cwd(), settings), settings, judged.clashes)
        ways = (without(request.intent, flag) for flag in reversed(judged.clashes[0].flags))
        calls = (f"`{spell_call(way, request.phases, fresh=request.fresh)}`" for way in ways)
        raise UsageError("; ".join(map(str, judged.clashes)), f"use one of: {' or '.join(calls)}")
    if judged.unbuilt:
        call = spell_call(without(request.intent, "visual"), request.phases, fresh=request.fresh)
        raise UsageError("; ".join(judged.unbuilt), call)
