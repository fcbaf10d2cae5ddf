"""Troubleshooting is complete and true: every exit status has a section, commands exist, messages are ours."""

from __future__ import annotations

import ast
import re

from autopilot.cli.parser import build_parser
from autopilot.model import errors
from autopilot.model.errors import AutopilotError, Interrupted
from tests.tidy.house import ROOT, modules, nodes, parsed
from tests.tidy.test_commands import commands

PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
OF_HALTS = {0, 3}  # a run that is done, or waits for people: no error says so


def test_every_exit_status_has_a_section() -> None:
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, AutopilotError)]
    known = {each.exit_status for each in classes} | {Interrupted("", reason).exit_status for reason in ("", "SIGTERM")}
    headings = re.findall(r"^## Exit (.+?):", PAGE, re.MULTILINE)
    assert {int(number) for heading in headings for number in re.findall(r"\d+", heading)} == known | OF_HALTS


def test_every_command_and_flag_it_names_exists() -> None:
    known = dict(commands(build_parser()))
    named = re.findall(r"`autopilot ([a-z][^`]*)`", PAGE)
    assert named
    for words in named:
        name = max((each for each in known if f"{words} ".startswith(f"{each} ")), key=len, default="")
        assert name, f"autopilot {words}"
        flags = {word for word in words.split() if word.startswith("--")}
        assert flags <= known[name] | {"--help"}, f"autopilot {words}"


def test_every_message_it_quotes_is_one_of_ours() -> None:
    texts = {node.value for path in modules() for node in nodes(parsed(path)) if is_text(node)}
    everything = "\n".join(texts)
    rows = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and line.count(" | ") == 2]
    quoted = [piece for row in rows for piece in re.findall(r"`([^`]+)`", row[1]) if not piece.startswith("autopilot ")]
    pieces = [part.strip() for each in quoted for part in each.split("…") if part.strip()]
    assert len(pieces) > 20
    assert [piece for piece in pieces if piece not in everything] == []


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
