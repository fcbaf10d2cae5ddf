"""``autopilot visual``"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from autopilot.api.assembly import Repository, find_repository
from autopilot.api.visual.checking import SHOWN, accept, check_commit, find_commit, open_studio, read_last, read_pins
from autopilot.cli.output import print_json, print_message, print_output, print_warning
from autopilot.inspection.visual.baseline import PATH
from autopilot.model.errors import UsageError
from autopilot.model.visual.check import VisualCheck
from autopilot.reports.visual.lines import check_document, describe_finding, render_check
from autopilot.settings.reading import Settings, read_settings

NEW, NOT_COMPARED = 1, 5


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=options.action != "check")
    return _ACTIONS[options.action](options, repository, settings)


def _check(options: argparse.Namespace, repository: Repository, settings: Settings) -> int:
    if options.phase and options.commit:
        raise UsageError("a phase and --commit cannot be looked at together", "name one of them")
    studio = open_studio(repository, settings)
    for complaint in studio.complaints:
        print_warning(complaint)
    commit = find_commit(studio, options.phase, options.commit)
    if not options.phase and not options.commit and studio.assembly.ports.checkout.dirty():
        print_message("uncommitted changes are not looked at: commit them first\n")
    check = check_commit(studio, commit, lambda line: print_message(f"{line}\n"))
    _print_check(options, check)
    return NEW if check.new else NOT_COMPARED if check.uncompared else 0


def _accept(options: argparse.Namespace, repository: Repository, _: Settings) -> int:
    check, pinned, refused = accept(repository, options.routes)
    if options.json:
        print_json({"commit": check.commit, "accepted": pinned, "refused": refused, "file": PATH})
        return NOT_COMPARED if refused else 0
    lines = [f"accepted {key}" for key in pinned]
    lines += [
        f"  with it, {f.shot}: {describe_finding(f)}"
        for f in check.findings
        if f.shot in pinned and not f.cause.is_change
    ]
    lines += [f"not accepted, since it does not stand still or was not seen: {key}" for key in refused]
    _print((*lines, f"{PATH} names what was seen at {check.commit[:12]}: commit it"))
    return NOT_COMPARED if refused else 0


def _list(options: argparse.Namespace, repository: Repository, _: Settings) -> int:
    pins = read_pins(repository).shots
    try:
        check = read_last(repository)
        last, checked = {pair.shot: pair.state.value for pair in check.compared}, check.commit
    except UsageError:
        last, checked = {}, ""
    rows = [
        {
            "shot": key,
            "accepted_at": pins[key].commit if key in pins else None,
            "last_check": last.get(key),
            "checked_at": checked if key in last else None,
        }
        for key in sorted({*pins, *last})
    ]
    if options.json:
        print_json(rows)
        return 0
    if not rows:
        raise UsageError("there is neither a baseline nor a check yet", "`autopilot visual check` looks at every route")
    _print(f"{row['shot']}: {_accepted(row['accepted_at'])}, last check: {_as_last_seen(row)}" for row in rows)
    return 0


def _as_last_seen(row: Mapping[str, Any]) -> str:
    """What was accepted since it was looked at is what it should look like."""
    if row["last_check"] and row["accepted_at"] == row["checked_at"]:
        return f"{row['last_check']}, and accepted since then"
    return row["last_check"] or "none"


def _accepted(commit: str | None) -> str:
    return f"accepted at {commit[:12]}" if commit else "no baseline"


def _show(options: argparse.Namespace, repository: Repository, _: Settings) -> int:
    check = read_last(repository)
    keys = {seen.key for seen in check.seen if options.route in (seen.key, seen.key.rsplit("-", 2)[0])}
    if not keys:
        known = ", ".join(sorted({seen.key.rsplit("-", 2)[0] for seen in check.seen}))
        raise UsageError(f"the last check has no route {options.route}", f"it looked at {known}")
    part = replace(
        check,
        seen=tuple(seen for seen in check.seen if seen.key in keys),
        compared=tuple(pair for pair in check.compared if pair.shot in keys),
        findings=tuple(finding for finding in check.findings if finding.shot in keys),
    )
    _print_check(options, part)
    if not options.json:
        pictures = (f"{SHOWN}/{key}.{side}.png" for key in sorted(keys) for side in ("before", "after", "diff"))
        _print(picture for picture in pictures if (repository.path / picture).is_file())
    return 0


_ACTIONS = {"check": _check, "accept": _accept, "list": _list, "show": _show}


def _print_check(options: argparse.Namespace, check: VisualCheck) -> None:
    if options.json:
        print_json(check_document(check, SHOWN))
    else:
        _print(render_check(check, SHOWN))


def _print(lines: Iterable[str]) -> None:
    print_output("".join(f"{line}\n" for line in lines))
