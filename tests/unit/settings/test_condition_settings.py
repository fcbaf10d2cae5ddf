"""The user's word about what checks and setups are given: wrong words are refused, doubtful ones are named. T1"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.model.conditions import Conditions, Reach
from autopilot.model.errors import UsageError
from autopilot.settings.reading import Settings, read_settings

# covers: T1, T5.reach


def settings_of(tmp_path: Path, text: str, **environment: str) -> Settings:
    file = tmp_path / "autopilot" / "settings.toml"
    file.parent.mkdir()
    file.write_text(text)
    return read_settings({"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path), **environment})


def test_nothing_is_given_unless_it_is_written(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, "", TOKEN="secret value")
    assert (settings.conditions, settings.granted) == (Conditions(), {})


def test_what_is_written_is_in_the_policy_by_name_and_never_by_value(tmp_path: Path) -> None:
    text = '[verify]\nnetwork = "loopback"\nports = [5432]\nenv = ["KEY"]\n[setup]\nenv = ["TOKEN"]\n'
    settings = settings_of(tmp_path, text, TOKEN="secret value", KEY="another value", OTHER="not named")
    conditions = Conditions((), Reach.LOOPBACK, (5432,), ("KEY",), ("TOKEN",))
    assert settings.conditions == settings.policy().conditions == conditions
    assert settings.granted == {"TOKEN": "secret value", "KEY": "another value"}
    assert list(settings.doubts()) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[verify]\nnetwork = "loopback"\n', "no port is named"),
        ("[verify]\nports = [5432]\n", 'ports are named, and network is "none"'),
        ('[verify]\nnetwork = "loopback"\nports = [80]\n', "ports names 80, which no check could reach"),
        ('[verify]\nnetwork = "all"\n', r"\[verify\]"),
        ('[verify]\nenv = ["PATH"]\n', "env names 'PATH', which cannot be given"),
        ('[setup]\nenv = ["LD_PRELOAD"]\n', "env names 'LD_PRELOAD', which cannot be given"),
        ('[setup]\ncaches = ["maven"]\n', "caches names 'maven', which is not known"),
        ('[setup]\nenv = ["A=B"]\n', "env names 'A=B', which cannot be given"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as raised:
        settings_of(tmp_path, text)
    assert raised.value.hint


def test_a_variable_that_is_not_set_or_too_short_to_hide_is_named(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, '[setup]\nenv = ["MISSING", "SHORT"]\n', SHORT="abc")
    missing, short = settings.doubts()
    assert missing == "[setup] env names MISSING, which is not set in your environment"
    assert short == "[setup] env names SHORT, whose value is too short to be removed from what is stored"


def test_a_cache_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, '[setup]\ncaches = ["go"]\n')
    [doubt] = settings.doubts()
    assert doubt.startswith("[setup] caches names go, ")


def test_a_misspelt_key_has_no_effect_and_is_named(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, '[verify]\nnetworks = "open"\n')
    assert settings.conditions == Conditions()
    assert any("verify.networks" in doubt for doubt in settings.doubts())


def test_longer_timeouts_are_the_users_to_write(tmp_path: Path) -> None:
    assert settings_of(tmp_path, "[timeouts]\ntest = 14400\ncriterion = 900\n").policy().timeouts.test == 14400
