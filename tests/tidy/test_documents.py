"""Documents keep their promises: links lead somewhere, limits hold, nothing names one particular machine."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.tidy.house import ROOT, SOURCE, named, text_files

# Text inside the package may belong to sample projects or prompts; those are not our documents.
DOCUMENTS = [path for path in text_files() if path.suffix == ".md" and SOURCE not in path.parents]
ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
HOMES = (ROOT, SOURCE, ROOT / "src")  # where a path of a guide may begin
# Somebody's home, or an index that packages are taken from: the project speaks of no particular machine.
MACHINE_WORDS = re.compile(
    r"/(?:home|Users)/(?!you/|me/)[a-z][\w-]*/|/root/\.\w|--(?:extra-)?index-url[= ]+\w|/simple/?[\"'\s]"
)


def links(path: Path) -> Iterator[str]:
    for block in MarkdownIt().parse(path.read_text(encoding="utf-8")):
        for token in block.children or ():
            target = token.attrs.get("href") or token.attrs.get("src")
            if target and not re.match(r"[a-z]+:", str(target)):
                yield str(target)


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def leads_somewhere(path: Path, link: str) -> bool:
    place, _, anchor = link.partition("#")
    target = path.parent / place if place else path
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in anchors(target))


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    assert [link for link in links(path) if not leads_somewhere(path, link)] == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "AGENTS.md", "CONTRIBUTING.md"])
def test_every_module_and_folder_that_a_guide_names_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    places = re.findall(r"`(\w[\w-]*/[\w./-]+)`", text)
    assert places
    assert [each for each in places if not any((root / each.rstrip("/")).exists() for root in HOMES)] == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_name_that_a_guide_places_in_a_module_stands_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    pairs = re.findall(r"`([A-Za-z_]\w+)` (?:in|of) `(\w[\w-]*/[\w./-]+\.py)`", text)
    assert pairs
    assert [(name, place) for name, place in pairs if name not in _module(place)] == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_a_name_that_a_guide_places_in_a_module_is_not_merely_imported_there(page: str) -> None:
    """Whoever looks there to change it finds it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    placed = re.findall(r"((?:`\w+`(?:, | and )?)+) (?:in|of) `(\w[\w-]*/[\w./-]+\.py)`", text)
    pairs = [(name, place) for listed, place in placed for name in re.findall(r"`(\w+)`", listed)]
    assert pairs
    assert [(name, place) for name, place in pairs if name in imported(_module(place))] == []


def test_a_name_that_is_only_imported_is_noticed() -> None:
    module = "from somewhere import (\n    FIRST,\n    second as Third,\n)\n\nOWN = FIRST\n"
    assert imported(module) == {"FIRST", "Third"}


def imported(module: str) -> set[str]:
    imports = (node for node in ast.walk(ast.parse(module)) if isinstance(node, ast.ImportFrom))
    return {each.asname or each.name for node in imports for each in node.names}


def _module(place: str) -> str:
    return next(path for root in HOMES if (path := root / place).exists()).read_text(encoding="utf-8")


def test_the_code_map_names_every_folder_of_a_room() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)`(.+)$", page.partition("### Where do I change")[0], re.MULTILINE))
    folders = {(path.parent.parent.name, path.parent.name) for path in SOURCE.glob("*/*/__init__.py")}
    assert ("testtools", "packs") in folders
    unnamed = [(room, folder) for room, folder in folders if f"`{folder}`" not in rows[room]]
    modes = {(room, mode) for room in rows for mode in ("issue", "debugging")}
    assert sorted(set(unnamed) - modes) == [], "each mode has a sentence of its own"


def test_a_dead_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One head\n[a](page.md#one-head) [b](#one-head) [c](gone.md) [d](#gone)\n")
    assert [link for link in links(page) if not leads_somewhere(page, link)] == ["gone.md", "#gone"]


def test_no_file_names_one_particular_machine() -> None:
    found = [(named(path), hit.group()) for path in text_files() if (hit := MACHINE_WORDS.search(path.read_text()))]
    assert found == []


@pytest.mark.parametrize("path", ADRS, ids=named)
def test_a_decision_record_is_short_and_says_what_would_change_our_mind(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == ["Context", "Decision", "Consequence", "What would change our mind"]


def test_decision_records_are_numbered_without_gaps() -> None:
    assert [int(path.name[:4]) for path in ADRS] == list(range(1, len(ADRS) + 1))


def test_agents_find_their_page_short() -> None:
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_file_pins_every_package_by_hash_and_names_no_place(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    packages = re.findall(r"^\w[^\\]*\\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^\w", text, re.MULTILINE)) > 0
    assert not re.search(r"^\s*-(?!-hash)|://|\bfile:", text, re.MULTILINE)


def test_the_agents_of_the_tests_are_locked_by_hash_and_no_address_is_named() -> None:
    folder = ROOT / "tests" / "agents"
    named_ones = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    versions = named_ones["dependencies"] | named_ones["optionalDependencies"]
    assert [name for name, version in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    locked = {place: about for place, about in packages.items() if place}
    assert [place for place, about in locked.items() if not about.get("integrity", "").startswith("sha512-")] == []
    assert [place for place, about in locked.items() if "resolved" in about] == []
    assert {name: locked[f"node_modules/{name}"]["version"] for name in versions} == versions


def test_the_development_set_contains_the_runtime_set() -> None:
    pins = {name: pinned(ROOT / name) for name in ("requirements.lock", "requirements-dev.lock")}
    assert pins["requirements.lock"] <= pins["requirements-dev.lock"]


def pinned(path: Path) -> set[str]:
    return set(re.findall(r"^(\S+==\S+)", path.read_text(encoding="utf-8"), re.MULTILINE))
