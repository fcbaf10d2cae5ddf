"""Single tests, seen through the reports of their tools: how a command is asked for them, and what came back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.testing import Tally, TestReport, tally
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.ports.git import Vault
from autopilot.ports.sandbox import Outcome
from autopilot.steps.context import StepContext
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.instrument import Asked, ask_for_reports, read_reports
from autopilot.testtools.pack import name_folder

_HEADER_LINE = re.compile(rb"\n#report (?P<size>\d{1,12}) (?P<name>[^\n]*+)\n")
# The command keeps its own exit status, and does not inherit the descriptor: only what its tools left in the folder is
# handed out, each file behind a line with its size and name.
REPORTED = """mkdir {folder}
(
exec {{REPORT_FD}}>&-
unset REPORT_FD
{command}
)
status=$?
find {folder} -type f -printf '%P\\n' | sort | while IFS= read -r name; do
printf '\\n#report %s %s\\n' "$(stat -c %s "{folder}/$name")" "$name"
cat "{folder}/$name"
done >&"$REPORT_FD"
exit $status
"""


def ask_tools(ctx: StepContext, commit: str, command: str) -> Asked | None:
    """The command with a report asked of every test tool it calls; None where it calls none that we know."""
    if not ctx.policy.evidence.tests:
        return None
    return ask_for_reports(command, text_at(ctx, commit), str(ctx.project))


def spell_reported(asked: Asked, commit: str) -> str:
    """The folder has a name such as mktemp gives; every command has a /tmp of its own."""
    token = hashlib.sha256(f"{commit} {asked.command}".encode()).hexdigest()[:10]
    folder = f"/tmp/tmp.{token}"
    return REPORTED.format(folder=folder, command=name_folder(asked.command, folder))


def read_tally(ctx: StepContext, commit: str, asked: Asked, outcome: Outcome, text: str) -> Tally:
    """In one line; the whole is kept, without secrets, where the line points."""
    report = clean_report(read_outcome(ctx.ports.vault, commit, asked, outcome, text), ctx.ports.blobs.clean)
    return tally(report, ctx.ports.blobs.keep(msgspec.json.encode(report)))


def clean_report(report: TestReport, clean: Callable[[str], str]) -> TestReport:
    """Without secrets, as a whole: a value may be in any name or message, and there may be 100,000 of them."""
    try:
        return msgspec.json.decode(clean(msgspec.json.encode(_without_controls(report)).decode()), type=TestReport)
    except msgspec.DecodeError:
        return TestReport(report.runner, report.grade, problem="it cannot be stored without the secrets in it")


def _without_controls(report: TestReport) -> TestReport:
    """Before secrets are looked for: a colour in the middle of one hides it, and is not there where it is shown."""
    names = ("id", "file", "message")
    results = tuple(
        replace(found, **{name: strip_controls(getattr(found, name)) for name in names}) for found in report.results
    )
    loading = tuple(map(strip_controls, report.loading))
    return replace(report, results=results, loading=loading, problem=strip_controls(report.problem))


def read_outcome(vault: Vault, commit: str, asked: Asked, outcome: Outcome, text: str) -> TestReport:
    """As it was left; a report for the record is stored without secrets."""
    paths = frozenset(vault.list(commit))
    return read_reports(asked, _files(outcome.report), text, exists=paths.__contains__)


def report_of(ctx: StepContext, observation: Observation | None) -> TestReport | None:
    """The whole report behind an observation, where there is one."""
    if observation is None or observation.tests is None or not observation.tests.report:
        return None
    return msgspec.json.decode(ctx.ports.blobs.get(observation.tests.report), type=TestReport)


def _files(report: bytes) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    end = 0
    while found := _HEADER_LINE.search(report, end):
        end = found.end() + int(found["size"])
        files[found["name"].decode("utf-8", "replace")] = report[found.end() : end]
    return files
