"""``autopilot report``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import Repository, find_repository
from autopilot.api.run_report import RunReport, read_report, write_html, write_junit, write_summary
from autopilot.cli.output import print_json, print_output
from autopilot.reports.run.junit import render_junit
from autopilot.settings.reading import read_settings

STDOUT = "-"  # standard output


def main(options: argparse.Namespace) -> int:
    repository = find_repository(Path.cwd(), read_settings(), to_read=True)
    report = read_report(repository, options.run or "")
    if STDOUT in (options.html, options.junit, options.summary):
        print_output(_render(report, repository, options))
    elif options.html:
        write_html(report, repository, Path(options.html))
    elif options.junit:
        write_junit(report, Path(options.junit), repository.path)
    elif options.summary:
        write_summary(report, Path(options.summary), repository.path)
    elif options.json:
        print_json(report.document())
    else:
        print_output(report.markdown)
    return 0


def _render(report: RunReport, repository: Repository, options: argparse.Namespace) -> str:
    """Standard output is written to, never replaced like a named file."""
    if options.html:
        return report.html(str(repository.path))
    return render_junit(report.state) if options.junit else report.summary
