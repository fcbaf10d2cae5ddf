"""A run as a CI job: caps are demanded before it begins, and the job's summary says what waits for whom."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

from msgspec import Struct

from autopilot.api.assembly import Assembly
from autopilot.api.run_report import RunReport, check_target
from autopilot.cli.output import print_message, print_warning
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.model.run import Cap
from autopilot.reports.ci.going_on import render_going_on
from autopilot.settings.reading import Settings

MONEY = (Cap.USD, Cap.TOKENS)
HINT = "add --budget-usd and --budget-minutes, or write usd and minutes below [budget] in {}"


class CiJob(Struct, frozen=True):
    summary: str = ""  # the file that the user names, or GitHub's for the summary of a step
    outputs: str = ""  # GitHub's file for the outputs of a step
    is_written: bool = False  # the summary, by its option: what to go on with comes behind it

    def end(self, report: RunReport, artefact: str) -> None:
        """A file that cannot be written is a warning: the run is what it is."""
        if self.summary:
            summary = "" if self.is_written else report.summary
            _append(self.summary, f"{summary}\n{render_going_on(report.shown, artefact)}")
        if self.outputs:
            state = report.shown
            _append(
                self.outputs, f"run={state.run}\nstatus={state.status.value}\nexit-status={state.session.exit_status}\n"
            )


def begin_job(settings: Settings, options: argparse.Namespace) -> CiJob:
    _must_have_caps(settings)
    environment = settings.environment
    if environment.get("GITHUB_ACTIONS") != "true":
        return CiJob(options.summary or "", is_written=True)
    # What tests and agents print is shown in lines of ours, and GitHub would carry out commands in it. No other program
    # knows the word that ends this: it holds for the step.
    print_message(f"::stop-commands::{secrets.token_hex(16)}\n")
    summary = options.summary or environment.get("GITHUB_STEP_SUMMARY", "")
    return CiJob(summary, environment.get("GITHUB_OUTPUT", ""), is_written=bool(options.summary))


def take_up(assembly: Assembly, settings: Settings, file: Path) -> None:
    """What an earlier job left. A file or key that will not do is refused now, not after a night."""
    from autopilot.adapters.artefact.carried import artefact_key

    artefact_key(settings.environment)
    check_target(file, assembly.repository.path, "the artefact")
    if file.exists():
        from autopilot.api.artefact.importing import import_record

        print_message(f"{file}: {import_record(assembly, settings.environment, file)}\n")


def leave(assembly: Assembly, settings: Settings, file: Path) -> bool:
    """For the next job, or for a person to answer what waits. Whether it is there; a failure is a warning."""
    from autopilot.api.artefact.exporting import export_record

    try:
        export_record(assembly, settings.environment, file)
    except AutopilotError as error:
        print_warning(f"{error}; {error.hint}")
        return False
    return True


def _must_have_caps(settings: Settings) -> None:
    """No user watches a job: what it may spend, and how long it may take, is named beforehand, not left to defaults."""
    named = {*settings.named_caps, *settings.file.caps}
    lacks = [
        *(["money or tokens"] if named.isdisjoint(MONEY) else []),
        *(["time"] if Cap.MINUTES not in named else []),
    ]
    if lacks:
        raise UsageError(f"--ci needs a cap on {' and on '.join(lacks)}", HINT.format(settings.source))


def _append(file: str, text: str) -> None:
    try:
        with Path(file).open("a", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        print_warning(f"{file} cannot be written: {error.strerror}")
