"""The shape of the repository: what stands at the top, how long files are, what things are called."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.tidy.house import MADE, ROOT, SOURCE, modules, named, nodes, parsed

TOP = {
    ".ci", ".devcontainer", ".editorconfig", ".gitignore", "AGENTS.md", "ARCHITECTURE.md", "CHANGELOG.md",
    "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md", "action.yml", "bench", "ci", "docs",
    "pyproject.toml", "requirements-dev.lock", "requirements.lock", "scripts", "setup.py", "src", "tests",
}  # fmt: skip
TEST_FOLDERS = {"agents", "chaos", "contract", "liars", "scenario", "strangers", "tidy", "unit", "web"}

MAX_FILES = 25
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
# A larger one is listed here with the reason why it reads better whole.
WIDE_FOLDERS: dict[str, str] = {}
LONG_FILES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}

BANNED_WORDS = {"manager", "handler", "helper", "helpers", "util", "utils", "service", "processor", "impl"}


def test_the_top_level_is_closed() -> None:
    assert {path.name for path in ROOT.iterdir()} - TOP - MADE == set()


def test_the_folders_of_tests_are_closed() -> None:
    assert {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} - TEST_FOLDERS - MADE == set()


def test_every_module_opens_with_a_sentence_that_says_what_it_is() -> None:
    mute = [named(path) for path in modules() if not (ast.get_docstring(parsed(path)) or "").strip()]
    assert mute == []


def test_no_folder_holds_too_many_files_to_find_one_in() -> None:
    files = Counter(named(path.parent) for path in [*modules(), *modules(ROOT / "tests")])
    assert {name: n for name, n in files.items() if n > MAX_FILES and name not in WIDE_FOLDERS} == {}
    assert [name for name in WIDE_FOLDERS if files[name] <= MAX_FILES] == []


def test_no_file_is_too_long_to_read_at_once() -> None:
    lengths = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {name: n for name, n in lengths.items() if n > MAX_FILE_LINES and name not in LONG_FILES} == {}
    assert [name for name in LONG_FILES if lengths.get(name, 0) <= MAX_FILE_LINES] == []


def test_no_function_is_too_long_to_read_at_once() -> None:
    lengths = dict(function_lengths())
    assert {name: n for name, n in lengths.items() if n > MAX_FUNCTION_LINES and name not in LONG_FUNCTIONS} == {}
    assert [name for name in LONG_FUNCTIONS if lengths.get(name, 0) <= MAX_FUNCTION_LINES] == []


def function_lengths() -> Iterator[tuple[str, int]]:
    for path in modules():
        for node in nodes(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{named(path)}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


def test_nothing_is_called_by_a_name_that_says_nothing() -> None:
    classes = [node.name for path in modules() for node in nodes(parsed(path)) if isinstance(node, ast.ClassDef)]
    files = [path.stem for path in modules()] + [path.name for path in SOURCE.rglob("*") if path.is_dir()]
    assert [name for name in classes + files if says_nothing(name)] == []
    assert [name for name in classes if re.match(r"Base[A-Z]", name) or name.endswith("Base")] == []


def says_nothing(name: str) -> bool:
    return not BANNED_WORDS.isdisjoint(word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name))


def test_an_empty_name_is_noticed_in_either_spelling() -> None:
    assert [name for name in ("RunManager", "git_utils", "Helper", "GitHandler") if not says_nothing(name)] == []
    assert [name for name in ("Vault", "help", "Served", "utility_free") if says_nothing(name)] == []
