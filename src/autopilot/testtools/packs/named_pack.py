"""Any command whose arguments name a JUnit XML file: the tool need not be known for its report to be read.

The rule: an option whose name has ``junit`` or ``xunit`` in it and whose value, behind a ``=`` or as the next word,
ends in ``.xml`` (``--junitxml=out.xml``, ``--output-junit out.xml``, ``--junitfile out.xml``), or GoogleTest's
``--gtest_output=xml:out.xml``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.commands.wrapping import ending_in, report_path, run, wrap
from autopilot.testtools.formats.junit_xml import read_junit
from autopilot.testtools.pack import Canary

_OPTION = re.compile(r"(?=.*(?:junit|xunit))--?[\w-]+", re.IGNORECASE)


class NamedReport:
    name = "named report"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        return bool(find_report(arguments))

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """A file that is there before the call is taken away: the report has to be of this run."""
        place, report = shlex.quote(find_report(arguments)), report_path(name, ".xml")
        return wrap(arguments, f"rm -f -- {place}; {run()}; [ ! -f {place} ] || cp -- {place} {report}")

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        content = ending_in(files, ".xml")
        if content is None:
            return TestReport(self.name, self.grade, problem="the command left no report at the path it names")
        return read_junit(content, self.name)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:  # noqa: ARG002
        """None: which files an unknown tool collects is not known."""
        return None

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        return [*arguments, *paths]


def find_report(arguments: Sequence[str]) -> str:
    """The path that the call names for its report; "" where it names none."""
    for place, word in enumerate(arguments):
        option, _, value = word.partition("=")
        value = value or (arguments[place + 1] if arguments[place + 1 :] else "")
        if _OPTION.fullmatch(option) and value.endswith(".xml") and not value.startswith("-"):
            return value
        if option == "--gtest_output" and value.startswith("xml:"):
            return value.removeprefix("xml:")
    return ""
