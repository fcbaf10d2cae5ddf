"""What a manifest leaves out of a package is told, and where it does not say, nothing is. covers: T8.H"""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.gates.evidence.otherwise.packaged import judge_packaged
from autopilot.inspection.packaging.package import find_left_out, read_packages
from autopilot.model.evidence.objection import Weight

PROJECT = '[project]\nname = "shop"\n\n[tool.setuptools]\n'
LISTED = PROJECT + 'packages = ["shop"]\npy-modules = ["run"]\n'
DATA = LISTED + '\n[tool.setuptools.package-data]\nshop = ["*.json"]\n'
SETUP = 'from setuptools import setup\n\nsetup(name="shop", packages=["shop"], package_data={"shop": ["*.json"]})\n'
HATCH = '[build-system]\nbuild-backend = "hatchling.build"\n' + LISTED
PLACES = frozenset({"shop/__init__.py"})


def held(files: dict[str, str], path: str) -> list[bool | None]:
    return [package.holds(path) for package in read_packages(files.get, PLACES | {*files})]


@pytest.mark.parametrize(
    ("files", "path", "is_held"),
    [
        ({"pyproject.toml": LISTED}, "shop/core.py", [True]),
        ({"pyproject.toml": LISTED}, "shop/data/rates.py", [False]),
        ({"pyproject.toml": LISTED}, "run.py", [True]),
        ({"pyproject.toml": LISTED}, "walk.py", [False]),
        ({"pyproject.toml": PROJECT}, "shop/data/rates.py", [None]),  # looked for by setuptools itself
        ({"pyproject.toml": DATA}, "shop/rates.json", [True]),
        ({"pyproject.toml": DATA}, "shop/rates.txt", [False]),
        ({"pyproject.toml": DATA}, "notes/rates.txt", [None]),  # beside no code of a package
        ({"pyproject.toml": DATA, "MANIFEST.in": "recursive-include shop *.txt\n"}, "shop/rates.txt", [True]),
        ({"pyproject.toml": DATA, "MANIFEST.in": "graft shop\n"}, "shop/a/rates.txt", [True]),
        ({"pyproject.toml": DATA + "# setuptools-scm\n"}, "shop/rates.txt", []),
        ({"pyproject.toml": HATCH}, "shop/data/rates.py", []),
        ({"pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n'}, "shop/rates.txt", []),
        ({"pyproject.toml": "not toml ["}, "shop/rates.txt", []),
        ({"pyproject.toml": 'build-system = 1\nproject = 2\ntool = "x"\n'}, "shop/a.py", [None]),
        ({"pyproject.toml": PROJECT + "packages = [1]\npackage-data = 3\npackage-dir = 4\n"}, "shop/a.py", [False]),
        ({"setup.py": SETUP}, "shop/rates.txt", [False]),
        ({"setup.py": SETUP}, "shop/rates.json", [True]),
        ({"setup.py": SETUP.replace('["shop"]', "find_packages()", 1)}, "shop/data/rates.py", [None]),
        ({"setup.py": SETUP.replace('{"shop"', 'DATA or {"shop"')}, "shop/rates.txt", []),
    ],
)
def test_setuptools_installs_what_is_listed(files: dict[str, str], path: str, is_held: list[bool | None]) -> None:
    assert held(files, path) == is_held


@pytest.mark.parametrize(
    ("manifest", "path", "is_held"),
    [
        ({"files": ["lib"]}, "lib/a.js", [True]),
        ({"files": ["./lib/"]}, "lib/deep/a.js", [True]),
        ({"files": ["lib/**/*.js"]}, "lib/deep/a.js", [True]),
        ({"files": ["lib/**"]}, "lib/a.json", [True]),
        ({"files": ["*.js"]}, "a.js", [True]),
        ({"files": ["lib"]}, "data/a.js", [False]),
        ({"files": ["lib", "!lib/a.js"]}, "lib/a.js", [False]),
        ({"files": ["lib"], "main": "./start"}, "start.js", [True]),
        ({"files": ["lib"], "bin": {"shop": "bin/shop.js"}}, "bin/shop.js", [True]),
        ({"files": ["lib"]}, "README.md", [True]),
        ({"files": ["lib"], "private": True}, "data/a.js", []),
        ({}, "data/a.js", []),
    ],
)
def test_npm_packs_what_is_listed(manifest: dict[str, Any], path: str, is_held: list[bool | None]) -> None:
    assert held({"package.json": json.dumps(manifest)}, path) == is_held


def test_a_manifest_that_cannot_be_read_says_nothing() -> None:
    assert held({"package.json": "{"}, "a.js") == held({"package.json": "[]"}, "a.js") == []


@pytest.mark.parametrize(("certain", "weight"), [(True, Weight.REFUSE), (False, Weight.FLAG)])
def test_the_refusal_names_file_and_manifest(certain: bool, weight: Weight) -> None:
    (found,) = judge_packaged("phase", "package.json", {"data/a.js": "index.js"}, certain=certain)
    assert (found.weight, found.where) == (weight, "data/a.js")
    assert "index.js needs data/a.js, and the package that package.json describes leaves it out" in found.description


@pytest.mark.parametrize(
    ("path", "code", "by"),
    [
        ("data/rates.js", 'import { rates } from "./data/rates.js";', "index.js"),
        ("data/rates.js", 'const rates = require("../data/rates");', "index.js"),
        ("data/rates.js", "const rates = {};", ""),
        ("data/rates.json", 'readFileSync(new URL("./data/rates.json", import.meta.url))', "index.js"),
        ("lib/rates.js", 'import { rates } from "./lib/rates.js";', ""),  # it is in the package
        ("test/rates.js", 'import { rates } from "./test/rates.js";', ""),
    ],
)
def test_only_what_code_of_the_package_names_is_needed(path: str, code: str, by: str) -> None:
    manifest = json.dumps({"files": ["index.js", "lib"]})
    (package,) = read_packages({"package.json": manifest}.get, frozenset())
    assert find_left_out(package, [path], {"index.js": code}) == ({path: by} if by else {})
