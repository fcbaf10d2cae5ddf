"""Packages of one repository import each other by their names. covers: REPOMAP"""

from __future__ import annotations

import pytest

from autopilot.repomap.extracting import extract
from autopilot.repomap.grammars.npm_packages import NpmPackages, read_package
from tests.unit.repomap.small_map import map_of

SHOP = {
    "package.json": '{"name": "shop-root", "exports": {"./v4": {"@s": "./src/v4/index.ts", "import": "./v4.js"}}}',
    "src/v4/index.ts": "export function four() {}\n",
    "packages/core/package.json": '{"name": "@shop/core", "main": "./dist/index.js", "exports": null}',
    "packages/core/src/index.ts": "export function total() {}\n",
    "packages/core/src/deep.ts": "export function deep() {}\n",
    "packages/words/package.json": '{"name": "words", "exports": {".": "./dist/main.d.ts", "./l/*": "./lang/*.js"}}',
    "packages/words/src/main.ts": "export default function say() {}\n",
    "packages/words/lang/de.js": "export const hallo = 1\n",
    "packages/react/package.json": '{"name": "@shop/react"}',
    "packages/react/index.ts": "export {}\n",
    "packages/app/path.ts": "export {}\n",
    "broken/package.json": "{",
    "list/package.json": '["name"]',
    "deep/package.json": '{"name": "deep", "exports": ' + '{"a":' * 800 + '""' + "}" * 801,
}
LEADS = {
    "@shop/core": "packages/core/src/index.ts",
    "@shop/core/deep": "packages/core/src/deep.ts",
    "words": "packages/words/src/main.ts",
    "words/l/de": "packages/words/lang/de.js",
    "shop-root/v4": "src/v4/index.ts",
    "@shop/react": "packages/react/index.ts",
    "react": "",
    "path": "",
    "@babel/core": "",
}


@pytest.mark.parametrize("source", LEADS)
def test_an_import_by_the_name_of_a_package_leads_into_its_folder(source: str) -> None:
    _, links = map_of({**SHOP, "packages/app/use.ts": f"import x from '{source}'\n"})
    (edge,) = links.imports
    assert edge.targets == ((LEADS[source],) if LEADS[source] else ())


def test_of_two_packages_with_one_name_none_is_meant() -> None:
    twice = {"a/package.json": '{"name": "a"}', "a/index.ts": "", "b/package.json": '{"name": "a"}'}
    _, links = map_of({**twice, "use.ts": "import x from 'a'\n"})
    assert [edge.targets for edge in links.imports] == [()]


@pytest.mark.parametrize("text", [b'{"name": "caf\xe9"}', b"[package]\nname = 'caf\xe9'\n", b"\xff"])
@pytest.mark.parametrize("language", ["npm", "cargo"])
def test_a_package_that_is_not_utf8_has_no_name(text: bytes, language: str) -> None:
    assert extract(text, language).package == ""


@pytest.mark.parametrize("place", ["*" * 900_000, "./" + "*" * 280])
def test_a_place_that_would_grow_by_what_its_stars_stand_for_is_none(place: str) -> None:
    """Of a million stars one import made gigabytes."""
    manifest = f'{{"name": "p", "exports": {{"./*": "{place}"}}}}'
    package = read_package(manifest.encode(), 1)
    assert sum(map(len, NpmPackages({"package.json": package}).places_of(f"p/{'a' * 290}"))) < 10_000
