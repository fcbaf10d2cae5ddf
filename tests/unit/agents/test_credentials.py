"""Credentials of agents: kept apart, given and taken back as they are, and never through a link an agent left."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from autopilot.adapters.agents.credentials import LARGEST_FILE, Credentials
from autopilot.adapters.agents.dialect import Login
from autopilot.model.agent_config import AgentConfig

# covers: T5.logins, T5, R-SECRET

FILE = ".tool/auth.json"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def credentials(tmp_path: Path) -> Credentials:
    made = Credentials(tmp_path / "state" / "agents" / "tool", Login(files=(FILE,)))
    write(made.home() / FILE, "mine")
    return made


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def kept(credentials: Credentials) -> str:
    return (credentials.folder / "files" / FILE).read_text()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    credentials = Credentials(tmp_path / "state" / "agents" / "tool", Login())
    credentials.keep_key("k-4711\n")
    assert credentials.key(AgentConfig(), {}) == "k-4711"
    assert mode(credentials.folder / "key") == 0o600
    assert {mode(place) for place in (tmp_path / "state", tmp_path / "state" / "agents", credentials.folder)} == {0o700}


def test_a_key_of_the_users_settings_goes_first_even_when_it_is_not_set(credentials: Credentials) -> None:
    credentials.keep_key("kept")
    config = AgentConfig(key_env="MINE")
    assert credentials.key(config, {"MINE": "given"}) == "given"
    assert credentials.key(config, {}) == ""


def test_how_it_is_signed_in(credentials: Credentials, tmp_path: Path) -> None:
    assert credentials.state(AgentConfig(), {}) == "signed in"
    credentials.keep_key("k")
    assert credentials.state(AgentConfig(), {}) == "key"
    assert Credentials(tmp_path / "none", Login(files=(FILE,))).state(AgentConfig(), {}) == ""


def test_its_files_are_given_and_what_it_refreshed_is_taken_back(credentials: Credentials, home: Path) -> None:
    given = credentials.put_into(home)
    assert (home / FILE).read_text() == "mine"
    assert mode(home / FILE) == 0o600
    write(home / FILE, "refreshed")
    write(home / ".tool/hooks.json", "planted")
    credentials.take_back(home, given)
    assert kept(credentials) == "refreshed"
    assert not (credentials.folder / "files/.tool/hooks.json").exists()


@pytest.mark.parametrize("content", ["", "x" * (LARGEST_FILE + 1)])
def test_what_cannot_be_a_credential_is_not_taken_back(credentials: Credentials, home: Path, content: str) -> None:
    given = credentials.put_into(home)
    write(home / FILE, content)
    credentials.take_back(home, given)
    assert kept(credentials) == "mine"


def test_a_login_that_another_call_refreshed_meanwhile_is_not_put_back(
    credentials: Credentials, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    given, given_to_other = credentials.put_into(home), credentials.put_into(tmp_path / "other")
    write(tmp_path / "other" / FILE, "refreshed")
    credentials.take_back(tmp_path / "other", given_to_other)
    credentials.take_back(home, given)
    assert kept(credentials) == "refreshed"


@pytest.mark.parametrize("content", ['{"token": "ha', "{}", '{"hooks": []}', "[]"])
def test_half_a_login_or_none_does_not_take_its_place(credentials: Credentials, home: Path, content: str) -> None:
    write(credentials.home() / FILE, '{"token": "whole"}')
    given = credentials.put_into(home)
    write(home / FILE, content)
    credentials.take_back(home, given)
    assert kept(credentials) == '{"token": "whole"}'
    write(home / FILE, '{"token": "refreshed", "more": 1}')
    credentials.take_back(home, given)
    assert "refreshed" in kept(credentials)


def test_a_folder_in_the_place_of_a_file_brings_nothing_and_stands_in_nobodys_way(
    credentials: Credentials, home: Path
) -> None:
    given = credentials.put_into(home)
    (home / FILE).unlink()
    (home / FILE / "in it").mkdir(parents=True)
    credentials.take_back(home, given)
    assert kept(credentials) == "mine"
    credentials.put_into(home)
    assert (home / FILE).read_text() == "mine"


def test_an_agent_cannot_sign_in_by_itself(tmp_path: Path, home: Path) -> None:
    credentials = Credentials(tmp_path / "agents" / "tool", Login(files=(FILE,)))
    given = credentials.put_into(home)
    write(home / FILE, "somebody else's")
    credentials.take_back(home, given)
    assert not (credentials.folder / "files" / FILE).exists()


@pytest.mark.parametrize("link", [".tool", FILE])
def test_a_link_in_its_home_neither_brings_the_users_login_nor_overwrites_it(
    credentials: Credentials, home: Path, tmp_path: Path, link: str
) -> None:
    write(tmp_path / "user" / FILE, "the user's own")
    (home / link).parent.mkdir(exist_ok=True)
    (home / link).symlink_to(tmp_path / "user" / link)
    credentials.take_back(home, {FILE: b"mine"})
    assert kept(credentials) == "mine"
    credentials.put_into(home)
    assert (home / FILE).read_text() == "mine"
    assert (tmp_path / "user" / FILE).read_text() == "the user's own"


def test_signing_out_removes_its_credentials_and_nothing_else(credentials: Credentials) -> None:
    credentials.keep_key("k")
    write(credentials.home() / ".tool/settings.json", "{}")
    removed = credentials.forget()
    assert {path.name for path in removed} == {"key", "auth.json"}
    left = [path for path in credentials.folder.rglob("*") if path.is_file()]
    assert [path.name for path in left] == ["settings.json"]
    assert credentials.forget() == ()
