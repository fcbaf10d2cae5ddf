"""What a file hands on of others is among its exports. covers: REPOMAP, CMD-REPOMAP"""

from __future__ import annotations

from autopilot.repomap.queries import Query, answer
from tests.unit.repomap.small_map import map_of


def exported(path: str, texts: dict[str, str]) -> list[str]:
    return [f"{one.line} {one.name}: {one.what}" for one in answer(Query.EXPORTS_OF, path, *map_of(texts))]


def test_the_own_file_of_a_python_package_hands_on_what_it_imports_of_the_project() -> None:
    package = """\
        import os
        from .impl import thing, other as another, _own
        from .all import *

        def late():
            from .impl import hidden
        """
    texts = {"pk/__init__.py": package, "pk/impl.py": "def thing(): ...\n", "pk/all.py": "def one(): ...\nTWO = 2\n"}
    assert exported("pk", texts) == [
        "2 another: re-exported from .impl",
        "2 thing: re-exported from .impl",
        "3 TWO: re-exported from .all",
        "3 one: re-exported from .all",
        "5 late: function",
    ]
    assert exported("pk/impl.py", {"pk/impl.py": "from .all import one\n", "pk/all.py": "one = 1\n"}) == []


def test_a_script_hands_on_everything_of_others_and_of_those_that_they_hand_on() -> None:
    texts = {
        "index.ts": """\
            export * from './a.js';
            export { b as c } from './b';
            export * from 'far';
            export const d = 1;
            """,
        "a.ts": "export * from './b';\nexport function fa() {}\nexport default 1;\n",
        "b.ts": "export * from './a.js';\nexport const b = 1;\n",
    }
    assert exported("index.ts", texts) == [
        "1 b: re-exported from ./a.js",
        "1 fa: re-exported from ./a.js",
        "2 c: re-exported from ./b",
        "3 *: everything, re-exported from far",
        "4 d: const",
    ]


def test_rust_hands_on_what_it_uses_in_public() -> None:
    texts = {
        "src/lib.rs": "pub mod a;\nmod b;\npub use a::run;\npub use b::*;\nuse b::own;\n",
        "src/a.rs": "pub fn run() {}\n",
        "src/b.rs": "pub fn own() {}\n",
    }
    assert exported("src/lib.rs", texts) == [
        "1 a: module",
        "3 run: re-exported from a",
        "4 own: re-exported from b",
    ]
