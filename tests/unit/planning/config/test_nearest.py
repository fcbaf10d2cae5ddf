"""Which package some files lie in, and which checks that leaves. INV-8"""

from __future__ import annotations

import json

import pytest

from autopilot.model.policy import Commands, Policy
from autopilot.planning.config.config import narrow, parse_config, set_commands, set_packages
from autopilot.planning.config.nearest import commands_of, find_nearest

SERVER, WEB = Commands(lint="ruff check server", test="cd server && pytest"), Commands(test="cd web && npm test")
PACKAGES = {"server": SERVER, "web": WEB}
WHOLE = Commands(setup="make deps", build="make", lint="ruff check server", test="(cd server && pytest) && (…)")


@pytest.mark.parametrize(
    ("files", "near"),
    [
        (["server/app.py", "./server/tests/test_app.py"], ("server",)),
        (["server/app.py", "web/index.js"], ("server", "web")),
        (["server/**/*.py"], ("server",)),
        (["server/app.py", "README.md"], ()),
        (["**/*.py"], ()),
        (["serverless/app.py"], ()),
        (["server/app.py", "../elsewhere.py"], ()),
        ([], ()),
    ],
)
def test_a_file_lies_in_the_nearest_package_and_what_lies_in_none_leaves_all(
    files: list[str], near: tuple[str, ...]
) -> None:
    assert find_nearest(files, PACKAGES) == near


def test_the_root_is_the_package_of_what_no_other_holds_and_the_longest_folder_wins() -> None:
    assert find_nearest(["README.md"], ["", "web"]) == ("",)
    assert find_nearest(["web/a.js", "web/plugins/b.js"], ["", "web", "web/plugins"]) == ("web", "web/plugins")


def test_checks_of_the_packages_replace_those_of_the_whole_and_what_no_package_has_stays() -> None:
    assert commands_of(["server"], PACKAGES, WHOLE) == Commands(
        setup="make deps", build="make", lint="ruff check server", test="cd server && pytest"
    )
    assert commands_of(["web"], PACKAGES, WHOLE) == Commands(setup="make deps", build="make", test="cd web && npm test")
    both = commands_of(["server", "web"], PACKAGES, WHOLE)
    assert both.test == "(cd server && pytest) && (cd web && npm test)"
    assert commands_of(["server"], PACKAGES, Commands(test=None)).test is None, "switched off for the whole"


def test_packages_are_written_beside_the_commands_and_read_again() -> None:
    text = set_packages(set_commands("", WHOLE), PACKAGES)
    assert json.loads(text)["project"]["commands"]["build"] == "make"
    config = parse_config(text, ".planning/config.json")
    assert config.packages == PACKAGES and not config.complaints
    assert narrow(Policy(), config)[0].packages == PACKAGES
    assert set_packages(text, {"other": SERVER, "web": WEB}) == text, "what stands there is the user's"
    assert set_packages("{}", {"server": SERVER}) == "{}", "one package is the whole"


def test_a_package_outside_the_repository_and_one_without_checks_are_left_out() -> None:
    text = '{"project": {"packages": {"../x": {"test": "true"}, "web": {}, "server/": {"test": "make"}}}}'
    assert parse_config(text, ".planning/config.json").packages == {"server": Commands(test="make")}
