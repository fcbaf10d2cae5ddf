"""The files of each chat: in its own form, with the same commands, and known as ours by their mark."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from autopilot.api.chat.commands import COMMANDS
from autopilot.api.chat.forms import FORMS, call_of, find_root, render_files
from autopilot.api.chat.marking import PLACE, Mark, read_mark, write_mark
from autopilot.cli.machine_options import CHATS
from autopilot.cli.parser import build_parser
from autopilot.cli.shells.commands import read_commands

# covers: CMD-INSTALL

NAMES = ["autopilot", "progress", "map", "debug", "add-phase", "insert-phase", "remove-phase", "help"]


def test_the_command_line_knows_the_chats() -> None:
    assert set(CHATS) == FORMS.keys()
    assert [command.name for command in COMMANDS] == NAMES


@pytest.mark.parametrize("agent", FORMS)
def test_every_command_has_a_file_that_says_all_and_names_only_commands_that_exist(agent: str) -> None:
    form, known = FORMS[agent], {command.path: command for command in read_commands(build_parser())}
    files = render_files(form)
    assert len({file.name for file in files}) == len(NAMES)
    for file in files:
        assert file.text.count(PLACE) == 1, file.name
        assert "{{" not in file.text.replace(PLACE, "").replace("{{args}}", ""), file.name
        for line in re.findall(r"`\{?(autopilot [a-z][^`\n]*)", file.text):
            words = line.rstrip("}").split()[1:]
            path = max((path for path in known if path and f"{' '.join(words)} ".startswith(f"{path} ")), key=len)
            options = {name for option in known[path].options for name in option.names}
            assert {word for word in words if word.startswith("--")} <= options, line
    if agent == "gemini":
        parsed = [tomllib.loads(file.text.replace(PLACE, "# mark\n")) for file in files]
        assert all(set(one) == {"description", "prompt"} for one in parsed)


@pytest.mark.parametrize(
    ("agent", "calls"),
    [
        ("claude", ["/autopilot", "/autopilot:add-phase"]),
        ("codex", ["$autopilot", "$autopilot-add-phase"]),
        ("gemini", ["/autopilot", "/autopilot:add-phase"]),
        ("opencode", ["/autopilot", "/autopilot/add-phase"]),
        ("cursor", ["/autopilot", "/autopilot-add-phase"]),
    ],
)
def test_a_command_is_called_as_the_chat_spells_it(agent: str, calls: list[str]) -> None:
    assert [call_of(FORMS[agent], name) for name in ("autopilot", "add-phase")] == calls


def test_only_commands_that_read_run_without_asking() -> None:
    allowed = {
        tool for file in render_files(FORMS["claude"]) for tool in re.findall(r"Bash\(autopilot ([^:]*):", file.text)
    }
    assert allowed == {"status", "progress", "help", "repomap", "debug list", "debug show", "phase show"}


@pytest.mark.parametrize("html", [False, True])
def test_a_mark_tells_a_file_of_ours_and_whether_it_was_changed(html: bool) -> None:
    content = write_mark(f"one\n{PLACE}two\n", 2, made_settings=True, html=html)
    assert read_mark(content) == Mark(2, made_settings=True, is_unchanged=True)
    assert read_mark(content.replace(b"two", b"three")) == Mark(2, made_settings=True, is_unchanged=False)
    assert read_mark(content + b"x") == Mark(2, made_settings=True, is_unchanged=False)
    assert read_mark(b"one\n# autopilot install 1: made=2 sha256=short\ntwo\n") is None
    assert read_mark(b"") is None


@pytest.mark.parametrize(
    ("agent", "environment", "place"),
    [
        ("claude", {}, "/h/.claude/commands"),
        ("claude", {"CLAUDE_CONFIG_DIR": "/c/claude"}, "/c/claude/commands"),
        ("claude", {"CLAUDE_CONFIG_DIR": "relative"}, "/h/.claude/commands"),
        ("opencode", {}, "/h/.config/opencode/commands"),
        ("opencode", {"XDG_CONFIG_HOME": "/x"}, "/x/opencode/commands"),
        ("codex", {}, "/h/.agents/skills"),
    ],
)
def test_the_users_own_folder_is_where_the_agent_looks(agent: str, environment: dict[str, str], place: str) -> None:
    root, folder = find_root(FORMS[agent], Path("/h"), environment)
    assert str(root / folder) == place
