"""The manual page: every command and option is in it, and troff reads it as it is meant."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from autopilot.cli.parser import build_parser
from autopilot.cli.shells.commands import read_commands
from autopilot.cli.shells.manual import STATUSES, render_manual
from tests.tidy.house import ROOT

# covers: CMD-MANUAL

COMMANDS = tuple(read_commands(build_parser()))
PAGE = render_manual(COMMANDS, "1.2.3")


def test_every_command_and_option_is_in_the_manual() -> None:
    plain = PAGE.replace("\\-", "-")
    for command in COMMANDS[1:]:
        section = plain.partition(f'.SS "autopilot {command.path}"\n')[2].partition("\n.SS ")[0]
        assert section, command.path
        names = {name for option in command.options for name in option.names} - {"-h", "--help"}
        assert {name for name in names if rf"\fB{name}\fR" not in section} == set(), command.path


def test_no_text_of_ours_becomes_a_request_of_troff() -> None:
    requests = {line.split()[0] for line in PAGE.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".BR"}
    assert not re.search(r"(?<!\\)\\(?![-&e`(f])", PAGE)


def test_the_statuses_are_those_of_the_documentation() -> None:
    table = (ROOT / "docs/commands.md").read_text().partition("## Exit status")[2].partition("\n## ")[0]
    assert list(STATUSES) == re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE)


def test_man_reads_it_without_a_warning(tmp_path: Path) -> None:
    page = tmp_path / "autopilot.1"
    page.write_text(PAGE, encoding="utf-8")
    read = subprocess.run(
        ("groff", "-man", "-ww", "-Kutf8", "-Tutf8", page), capture_output=True, text=True, check=True
    )
    assert (read.stderr, "autopilot phase add" in read.stdout) == ("", True)
