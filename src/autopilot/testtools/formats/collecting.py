"""JUnit XML that a tool leaves somewhere in the project: taken along after the call, if the call has made it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.commands.wrapping import report_path
from autopilot.testtools.formats.junit_xml import Case, plain_id, read_junit
from autopilot.testtools.formats.results import joined

ANY_XML = ".xml"


def mark_beginning(name: str) -> str:
    return f": >{report_path(name, '.began')}"


def collect_newer(name: str, folder: str, pattern: str) -> str:
    """For the shell: every such file below the folder that is newer than the mark, by a number of its own.

    A report that existed before the run proves nothing about it: any process could have written it.
    """
    found = f"find {folder} -type f -name {shlex.quote(pattern)} -newer {report_path(name, '.began')} 2>/dev/null"
    target = report_path(name, "-")
    return f'n=0; {found} | sort | while IFS= read -r f; do n=$((n+1)); cp "$f" {target}"$n".xml; done'


def read_all(files: Mapping[str, bytes], runner: str, id_of: Callable[[Case], str] = plain_id) -> TestReport:
    """All XML files of a call as one report; none is a report without a result."""
    found = [read_junit(files[name], runner, id_of=id_of) for name in sorted(files) if name.endswith(ANY_XML)]
    return joined(found) if found else TestReport(runner, Grade.REPORT)
