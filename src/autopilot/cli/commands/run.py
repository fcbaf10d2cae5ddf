"""``autopilot run``"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.flag_refusals import record_refusal
from autopilot.api.forecast import forecast
from autopilot.cli.output import print_json, print_output
from autopilot.cli.run_driver import drive_run, with_options
from autopilot.cli.run_options import read_intent, repeated_options
from autopilot.model.errors import UsageError
from autopilot.model.run import RunRequest
from autopilot.planning.choosing.flags import call_without, judge_flags, spell_call
from autopilot.reports.run.forecast import forecast_document, render_forecast
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    request = RunRequest(
        phases=tuple(options.phases),
        fresh=options.fresh,
        skip_cooldown=options.now,
        intent=read_intent(options),
        command=shlex.join(("autopilot", *options.written)),
        repeated_options=repeated_options(options),
    )
    _check_flags(request, options)
    if options.dry_run:
        return _print_forecast(request, options)
    return drive_run(request, options, spell_call(request.intent, options.phases))


def _check_flags(request: RunRequest, options: argparse.Namespace) -> None:
    """UsageError for flags that exclude each other, before anything starts; the newest run records the refusal."""
    judged = judge_flags(request.intent, fresh=request.fresh, dry_run=options.dry_run)
    if judged.clashes:
        settings = read_settings()
        if not options.dry_run:
            record_refusal(find_repository(Path.cwd(), settings), settings, judged.clashes)
        calls = (f"`{call_without(request.command, flag)}`" for flag in reversed(judged.clashes[0].flags))
        raise UsageError("; ".join(map(str, judged.clashes)), f"use one of: {' or '.join(calls)}")


def _print_forecast(request: RunRequest, options: argparse.Namespace) -> int:
    settings = with_options(read_settings(), options)
    result = forecast(request, settings, assemble(find_repository(Path.cwd(), settings), settings))
    if options.json:
        print_json(forecast_document(result))
    else:
        print_output(render_forecast(result))
    return 0
