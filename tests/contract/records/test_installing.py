"""`autopilot install` and `uninstall` on real folders: files of ours only, and none of them left behind."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.api.chat.forms import FORMS
from autopilot.api.chat.installing import Place, find_place, perform, plan_install, plan_removal
from autopilot.api.chat.marking import PLACE, read_mark, write_mark
from autopilot.model.errors import UsageError

# covers: CMD-INSTALL

OWN = {
    ".claude/settings.json": '{\n\t"model": "x",\n\t"hooks": {}\n}',
    ".claude/commands/mine.md": "mine",
    ".gemini/settings.json": "{}",
    ".opencode/commands/autopilot/mine.md": "mine",
    ".agents/skills/mine/SKILL.md": "mine",
}
EMPTY = (".cursor", ".agents/skills/empty")


def tree(root: Path) -> dict[str, bytes | str | None]:
    """Everything below: contents of files, where links lead, folders."""
    found: dict[str, bytes | str | None] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(folder, name)
            key = path.relative_to(root).as_posix()
            found[key] = str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else None
    return found


@pytest.fixture(params=["used", "bare"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A repository in which agents were used, and one in which none was."""
    (tmp_path / "project/.git").mkdir(parents=True)
    if request.param == "used":
        for name, text in OWN.items():
            (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "project" / name).write_text(text)
        for name in EMPTY:
            (tmp_path / "project" / name).mkdir()
    return tmp_path / "project"


def place(agent: str, project: Path) -> Place:
    return find_place(agent, project=True, start=project, home=project.parent, environment={})


def install(agent: str, project: Path, *, status_line: bool = True) -> list[str]:
    where = place(agent, project)
    return [deed.action for deed in perform(where, plan_install(where, status_line=status_line))]


def uninstall(agent: str, project: Path) -> list[str]:
    where = place(agent, project)
    return [deed.action for deed in perform(where, plan_removal(where))]


@pytest.mark.parametrize("agent", FORMS)
def test_what_was_installed_is_removed_without_a_trace(agent: str, project: Path) -> None:
    before = tree(project)
    install(agent, project)
    installed = tree(project)
    assert {name for name in before if before[name] != installed[name]} <= {".claude/settings.json"}
    assert len(installed) >= len(before) + 8
    assert set(install(agent, project)) == {"keep"}
    assert tree(project) == installed, "twice is once"
    uninstall(agent, project)
    assert tree(project) == before
    assert uninstall(agent, project) == []


def test_all_chats_are_removed_in_any_order(project: Path) -> None:
    before = tree(project)
    for agent in FORMS:
        install(agent, project)
    for agent in reversed(FORMS):
        uninstall(agent, project)
    assert tree(project) == before


def test_below_a_folder_of_the_repository_the_repository_is_meant(project: Path) -> None:
    (project / "src").mkdir()
    assert place("claude", project / "src").root == project
    with pytest.raises(UsageError, match="no git repository"):
        place("claude", project.parent)


@pytest.mark.parametrize("agent", FORMS)
def test_a_plan_changes_nothing(agent: str, project: Path) -> None:
    before = tree(project)
    assert plan_install(place(agent, project), status_line=True)
    assert tree(project) == before


def files_of(agent: str, project: Path) -> Iterator[Path]:
    for deed in plan_install(place(agent, project), status_line=False):
        yield project / deed.name


@pytest.mark.parametrize("agent", FORMS)
def test_a_file_that_is_not_ours_is_named_and_nothing_is_written(agent: str, project: Path) -> None:
    foreign = list(files_of(agent, project))[3]
    foreign.parent.mkdir(parents=True, exist_ok=True)
    foreign.write_text("mine")
    before = tree(project)
    with pytest.raises(UsageError) as refused:
        install(agent, project)
    assert [str(foreign) in line for line in refused.value.lines] == [True]
    assert refused.value.hint
    assert tree(project) == before


def test_a_file_of_ours_that_was_changed_is_neither_replaced_nor_removed(project: Path) -> None:
    before = tree(project)
    install("claude", project)
    changed = project / ".claude/commands/autopilot/map.md"
    changed.write_text(changed.read_text() + "and mine\n")
    with pytest.raises(UsageError):
        install("claude", project)
    assert uninstall("claude", project).count("keep") == 1
    assert set(tree(project)) - set(before) == {
        name for name in (".claude", ".claude/commands", ".claude/commands/autopilot") if name not in before
    } | {".claude/commands/autopilot/map.md"}


def test_an_earlier_version_is_updated_in_place_and_its_folders_are_remembered(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    before = tree(tmp_path)
    install("claude", tmp_path)
    older = tmp_path / ".claude/commands/autopilot.md"
    mark = read_mark(older.read_bytes())
    assert mark is not None and mark.made_settings
    older.write_bytes(write_mark(f"older\n{PLACE}", mark.made, made_settings=True))
    older.chmod(0o600)
    assert install("claude", tmp_path).count("update") == 1
    assert b"older" not in older.read_bytes() and older.stat().st_mode & 0o777 == 0o600
    uninstall("claude", tmp_path)
    assert tree(tmp_path) == before


def test_a_status_line_that_is_not_ours_stays(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude").mkdir()
    settings = tmp_path / ".claude/settings.json"
    settings.write_text('{"statusLine": {"type": "command", "command": "mine"}}')
    before = tree(tmp_path)
    where = place("claude", tmp_path)
    done = list(perform(where, plan_install(where, status_line=True)))
    assert [(deed.action, "not Autopilot's" in deed.note) for deed in done][-1] == ("keep", True)
    assert settings.read_text() == before[".claude/settings.json"].decode()  # type: ignore[union-attr]
    uninstall("claude", tmp_path)
    assert tree(tmp_path) == before


def test_settings_that_cannot_be_read_refuse_everything_unless_they_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text("// mine\n{}")
    before = tree(tmp_path)
    with pytest.raises(UsageError, match="not valid JSON"):
        install("claude", tmp_path)
    assert tree(tmp_path) == before
    install("claude", tmp_path, status_line=False)
    uninstall("claude", tmp_path)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("link", [".claude", ".claude/commands", ".claude/commands/autopilot", ".claude/settings.json"])
@pytest.mark.parametrize("target", ["folder", "file", "nowhere"])
def test_no_link_is_followed(tmp_path: Path, link: str, target: str) -> None:
    elsewhere, project = tmp_path / "elsewhere", tmp_path / "project"
    (elsewhere / "folder").mkdir(parents=True)
    (elsewhere / "file").write_text("{}")
    (project / ".git").mkdir(parents=True)
    (project / link).parent.mkdir(parents=True, exist_ok=True)
    (project / link).symlink_to(elsewhere / target)
    before = tree(tmp_path)
    with pytest.raises(UsageError, match="is a link"):
        install("claude", project)
    assert tree(tmp_path) == before


def test_a_pipe_in_place_of_a_file_holds_nothing_up(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude/commands").mkdir(parents=True)
    os.mkfifo(tmp_path / ".claude/commands/autopilot.md")
    with pytest.raises(UsageError, match="no plain file"):
        install("claude", tmp_path)
    shutil.rmtree(tmp_path / ".claude")
