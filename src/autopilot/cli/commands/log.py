"""``autopilot log verify``, ``export`` and ``import``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.reading import verify_record
from autopilot.cli.output import print_json, print_output
from autopilot.model.errors import UsageError
from autopilot.settings.reading import read_settings
from autopilot.text.naming import plural


def main(options: argparse.Namespace) -> int:
    if options.action is None:
        raise UsageError(
            "no action is given for `autopilot log`",
            "`autopilot log verify` verifies the record, `log export FILE` and `log import FILE` carry it to another "
            "machine; `autopilot watch --all` shows what is in it, with --json "
            "event by event; `autopilot transcript` shows what agents said",
        )
    if options.action in ("export", "import"):
        return _carry(options)
    check = verify_record(find_repository(Path.cwd(), read_settings(), to_read=True))
    if options.json:
        document = {"events": check.events, "runs": check.runs, "head": check.head.digest, "anchor": check.anchored}
        document["texts"] = len(check.texts)
        print_json(document)
    elif not check.events:
        print_output("nothing has been recorded for this repository yet\n")
    else:
        counted = f"{plural(check.events, 'event')} of {plural(check.runs, 'run')}"
        counted += f" and {plural(len(check.texts), 'stored text')}"
        print_output(f"the record is intact: {counted}; {_describe_anchor(check.anchored)}\n")
    return 0


def _carry(options: argparse.Namespace) -> int:
    """Late: reading commands carry nothing."""
    from autopilot.api.artefact.exporting import export_record
    from autopilot.api.artefact.importing import import_record
    from autopilot.api.assembly import assemble

    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    carry = export_record if options.action == "export" else import_record
    print_output(f"{carry(assembly, settings.environment, Path(options.file))}\n")
    return 0


def _describe_anchor(anchored: str) -> str:
    """What the anchor, a hash kept outside the record, adds to the chain inside it."""
    if not anchored:
        return "its anchor is missing: whether the last events are complete cannot be checked"
    return f"its anchor at event {anchored.split()[0]} shows that no event up to there is missing"
