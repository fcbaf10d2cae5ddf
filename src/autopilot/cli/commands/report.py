"""``autopilot report``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import Repository, find_repository
from autopilot.api.run_report import (
    RunReport,
    read_report,
    write_code_quality,
    write_html,
    write_junit,
    write_sarif,
    write_summary,
)
from autopilot.cli.output import print_json, print_output
from autopilot.reports.ci.annotations import render_annotations
from autopilot.reports.ci.code_quality import render_code_quality
from autopilot.reports.ci.sarif import render_sarif
from autopilot.reports.run.junit import render_junit
from autopilot.settings.reading import read_settings

STDOUT = "-"  # standard output
# Those that are written to a file: the option, and what writes it.
FILES = {"junit": write_junit, "summary": write_summary, "sarif": write_sarif, "code_quality": write_code_quality}


def main(options: argparse.Namespace) -> int:
    repository = find_repository(Path.cwd(), read_settings(), to_read=True)
    report = read_report(repository, options.run or "")
    named = next((name for name in FILES if getattr(options, name)), "")
    if STDOUT in (options.html, named and getattr(options, named)):
        print_output(_render(report, repository, options))
    elif options.html:
        write_html(report, repository, Path(options.html))
    elif named:
        FILES[named](report, Path(getattr(options, named)), repository.path)
    elif options.annotations:
        print_output(render_annotations(report.shown))
    elif options.json:
        print_json(report.document())
    else:
        print_output(report.markdown)
    return 0


def _render(report: RunReport, repository: Repository, options: argparse.Namespace) -> str:
    """Standard output is written to, never replaced like a named file."""
    if options.html:
        return report.html(str(repository.path))
    if options.sarif:
        return render_sarif(report.shown)
    if options.code_quality:
        return render_code_quality(report.shown)
    return render_junit(report.state) if options.junit else report.summary
