"""``autopilot report``"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from autopilot.api.assembly import Repository, find_repository
from autopilot.api.reporting import Told, tell_of, write_html, write_junit, write_summary
from autopilot.cli.saying import say
from autopilot.reports.run.ci_summary import render_ci_summary
from autopilot.reports.run.junit import render_junit
from autopilot.settings.reading import read_settings

HERE = "-"  # standard output


def main(options: argparse.Namespace) -> int:
    repository = find_repository(Path.cwd(), read_settings())
    told = tell_of(repository, options.run or "")
    if HERE in (options.html, options.junit, options.summary):
        say(_text(told, repository, options))
    elif options.html:
        write_html(told, repository, Path(options.html))
    elif options.junit:
        write_junit(told, Path(options.junit), repository.path)
    elif options.summary:
        write_summary(told, Path(options.summary), repository.path)
    elif options.json:
        say(json.dumps(told.document(), indent=2, ensure_ascii=False) + "\n")
    else:
        say(told.markdown)
    return 0


def _text(told: Told, repository: Repository, options: argparse.Namespace) -> str:
    """Never by the name of a file: whatever standard output is, it is not ours to replace."""
    if options.html:
        return told.html(str(repository.path))
    return render_junit(told.state) if options.junit else render_ci_summary(told.state, told.trend)
