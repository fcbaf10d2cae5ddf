"""Versions that a Python project says in code, found where they stand and raised there. covers: DONE-1"""

from __future__ import annotations

import pytest

from autopilot.planning.release.python_version import in_module, in_setup_cfg, in_setup_py, version_modules
from autopilot.planning.release.version import (
    Trouble,
    describe_bump,
    find_versions,
    read_version_files,
    says,
    write_version,
)

SETUP = 'from setuptools import setup\n\nsetup(\n    name="grüße", version="1.2.3",\n)\n'
NAMED = 'import setuptools\nVERSION = "1.2.3"\nsetuptools.setup(name="x", version=VERSION)\n'
MODULE = '"""Words, wörter."""\n\n__version__ = \'1.2.3\'\n'


@pytest.mark.parametrize("text", [SETUP, NAMED])
def test_setup_py_says_the_version_in_its_call_or_by_a_name_of_its_own(text: str) -> None:
    [(version, start, end)] = in_setup_py(text)
    assert (version, text[start:end]) == ("1.2.3", "1.2.3")


@pytest.mark.parametrize(
    "text",
    [
        "setup(version=read('VERSION'))",
        "from x import __version__\nsetup(version=__version__)",
        "setup(version='1' '.2.3')",
        "setup(use_scm_version=True)",
        "configure(version='1.2.3')",
        "setup(version=",
        "setup(version='\\x31.2.3')",
    ],
)
def test_a_version_that_is_worked_out_elsewhere_is_not_found_in_setup_py(text: str) -> None:
    assert in_setup_py(text) == []


def test_a_module_says_its_version_once_at_its_top() -> None:
    [(version, start, end)] = in_module(MODULE)
    assert (version, MODULE[start:end]) == ("1.2.3", "1.2.3")
    assert in_module("def f():\n    __version__ = '1.2.3'\n") == []
    assert in_module("__version__ = '1.2.3'\n__version__ = '1.2.4'\n") == []


def test_setup_cfg_says_it_under_metadata_alone() -> None:
    text = "[metadata]\nname = x\nversion = 1.2.3\n\n[tool]\nversion = 9.9.9\n"
    [(version, start, end)] = in_setup_cfg(text)
    assert (version, text[start:end]) == ("1.2.3", "1.2.3")
    assert in_setup_cfg("[metadata]\nversion = attr: x.__version__\n") == []
    assert in_setup_cfg("[metadata]\nname = x\n[tool]\nversion = 9.9.9\n") == []


def test_modules_of_the_product_are_looked_at_and_tests_are_not() -> None:
    paths = ["x.py", "x/__init__.py", "src/y/_version.py", "x/sub/__init__.py", "tests/__init__.py", "setup.py"]
    assert version_modules([*paths, "x/core.py", "docs/conf.py"]) == ["x.py", "x/__init__.py", "src/y/_version.py"]


def test_every_file_that_says_the_version_is_raised_and_nothing_else_is_touched() -> None:
    files = {
        "setup.py": SETUP,
        "x/__init__.py": MODULE,
        "other/__init__.py": "__version__ = '0.4.0'\n",
        "CHANGELOG.md": "# Changelog\n",
    }
    written = find_versions(files)
    assert not isinstance(written, Trouble) and [w.path for w in written] == ["setup.py", "x/__init__.py"]
    edited = write_version(files, written, "1.3.0", "2025-03-04", ["Phase 1"])
    assert set(edited) == {"setup.py", "x/__init__.py", "CHANGELOG.md"}
    assert edited["setup.py"] == SETUP.replace("1.2.3", "1.3.0")
    assert edited["x/__init__.py"] == MODULE.replace("1.2.3", "1.3.0")
    assert says(files | edited, "1.3.0")


def test_a_module_alone_says_the_version_where_the_manifest_reads_it_from_there() -> None:
    manifest = '[project]\nname = "x"\ndynamic = ["version"]\n'
    found = find_versions({"pyproject.toml": manifest, "x/__init__.py": MODULE})
    assert not isinstance(found, Trouble) and [w.path for w in found] == ["x/__init__.py"]
    assert find_versions({"x/__init__.py": MODULE}) == Trouble(""), "no Python project"


def test_what_a_run_will_do_with_the_version_is_told_and_nothing_where_it_would_do_nothing() -> None:
    files = {"setup.py": SETUP, "x/__init__.py": MODULE, "CHANGELOG.md": "", "README.md": "not asked for"}
    read = read_version_files(files.get, lambda: files)
    assert "README.md" not in read
    assert describe_bump(read) == (
        "when the last open phase has passed, a run raises the version (1.2.3 in setup.py, x/__init__.py),"
        " with an entry in CHANGELOG.md"
    )
    assert describe_bump({"setup.py": "setup()"}) == ""
