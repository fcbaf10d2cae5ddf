"""Each kind of question, asked of a small map. covers: REPOMAP, CMD-REPOMAP"""

from __future__ import annotations

import pytest

from autopilot.repomap.queries import Query, answer, find_similar, is_defined, known_files
from tests.unit.repomap.small_map import SHOP, map_of

FILES, LINKS = map_of(SHOP)


def ask(query: Query, name: str) -> list[str]:
    return [f"{one.path}:{one.line} {one.name}" for one in answer(query, name, FILES, LINKS)]


@pytest.mark.parametrize(
    ("query", "name", "found"),
    [
        (Query.IMPORTERS_OF, "shop/prices.py", ["shop/cart.py:1 price_of, Discount"]),
        (Query.IMPORTERS_OF, "shop.prices", ["shop/cart.py:1 price_of, Discount"]),
        (Query.IMPORTERS_OF, "prices.py", ["shop/cart.py:1 price_of, Discount"]),
        (Query.IMPORTERS_OF, "empty_cart", ["tests/test_cart.py:1 Cart, empty_cart"]),
        (Query.IMPORTERS_OF, "shop/mail.py", []),
        (Query.CALLERS_OF, "price_of", ["shop/cart.py:5 Cart.total"]),
        (Query.CALLERS_OF, "price_of()", ["shop/cart.py:5 Cart.total"]),
        (Query.CALLERS_OF, "send_mail", []),
        (Query.CALLEES_OF, "Cart.total", ["shop/cart.py:5 price_of"]),
        (Query.CALLEES_OF, "Cart::total", ["shop/cart.py:5 price_of"]),
        (Query.CALLEES_OF, "price_of", ["shop/prices.py:5 _look_up"]),
        (Query.DEFINES, "Cart", ["shop/cart.py:3 Cart"]),
        (Query.DEFINES, "total", ["shop/cart.py:4 Cart.total"]),
        (Query.DEFINES, "nothing", []),
        (Query.EXPORTS_OF, "shop/mail.py", ["shop/mail.py:1 send_mail"]),
        (Query.EXPORTS_OF, "README.md", []),
    ],
)
def test_a_question_is_answered_with_the_place_and_the_name(query: Query, name: str, found: list[str]) -> None:
    assert ask(query, name) == found


def test_a_definition_is_shown_with_its_signature() -> None:
    (found,) = answer(Query.DEFINES, "price_of", FILES, LINKS)
    assert found.what == 'price_of(item: str, currency: str = "EUR") -> int'


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ("price_of", "price_of"),  # exactly
        ("PriceOf", "price_of"),  # spelled otherwise
        ("price_off", "price_of"),  # a letter too many
        ("cart_empty", "empty_cart"),  # its words in another order
        ("send_the_mail", "send_mail"),  # most of its words
        ("Cart.totel", "Cart.total"),
    ],
)
def test_a_name_that_is_there_under_another_spelling_is_found(wanted: str, first: str) -> None:
    assert find_similar(wanted, FILES)[0].name == first


def test_a_name_that_is_nowhere_near_is_not_found() -> None:
    assert find_similar("render_invoice_as_pdf", FILES) == ()


def test_a_file_is_known_by_its_path_the_end_of_it_and_its_module() -> None:
    for name in ("shop/cart.py", "cart.py", "shop.cart", "shop/cart", "./shop/cart.py"):
        assert known_files(name, FILES) == ("shop/cart.py",)
    assert known_files("art.py", FILES) == ()


ANIMALS = {
    "a.go": """\
        package g
        type A struct{}
        type B struct{}
        func (A) Do() {}
        func (B) Do() {}
        func use() { var a A; a.Do() }
        """,
    "other.go": """\
        package other
        type C struct{}
        type D struct{}
        func (C) Go() {}
        func (D) Go() {}
        func f(c C) { c.Go() }
        """,
}


@pytest.mark.parametrize(
    ("query", "name", "found"),
    [
        (Query.CALLERS_OF, "Do", "use: could be a call of A.Do of a.go or B.Do of a.go"),
        (Query.CALLERS_OF, "B.Do", "use: could be a call of B.Do of a.go or A.Do of a.go"),
        (Query.CALLEES_OF, "use", "Do: could be A.Do of a.go or B.Do of a.go, called by use"),
    ],
)
def test_a_call_that_could_mean_several_definitions_is_listed_for_each_of_them(
    query: Query, name: str, found: str
) -> None:
    unclear = [one for one in answer(query, name, *map_of(ANIMALS)) if one.meanings > 1]
    assert [f"{one.name}: {one.what}" for one in unclear] == [found]
    assert not unclear[0].is_certain


def test_of_many_definitions_that_a_call_could_mean_three_are_named() -> None:
    classes = {f"m{number}.py": f"class C{number}:\n    def run(self): ...\n" for number in range(5)}
    (found,) = answer(Query.CALLERS_OF, "C4.run", *map_of({**classes, "use.py": "def f(x):\n    x.run()\n"}))
    assert found.what == "could be a call of C4.run of m4.py or C0.run of m0.py or C1.run of m1.py or 2 others"


def test_a_name_is_defined_by_its_spelling_with_or_without_its_owners() -> None:
    assert is_defined("total", FILES) and is_defined("Cart.total", FILES) and is_defined("Cart::total()", FILES)
    assert not is_defined("totals", FILES)


FAR = {
    "cmd/main.go": 'package main\nimport "example.com/x/doc"\nfunc main() { doc.Write() }\n',
    "doc/write.go": "package doc\nfunc Write() {}\n",
    "src/Use.php": "<?php\nnamespace A;\nuse B\\Tools\\Hammer;\n",
    "src/Hammer.php": "<?php\nnamespace B\\Tools;\nclass Hammer {}\n",
    "index.ts": "import { late } from './router'\nexport { Router } from './router'\nexport { late }\n",
    "router.ts": "export class Router {}\nexport const late = 1\n",
    "lib.sh": "log::info() { echo; }\nmain() { log::info a; }\n",
    "Over.java": "class Over { void a(int x) { c(); } void a(long x) { c(); }\n void c() {} }\n",
}


@pytest.mark.parametrize(
    ("query", "name", "found"),
    [
        (Query.IMPORTERS_OF, "doc", ["cmd/main.go:2 *"]),
        (Query.IMPORTERS_OF, "doc/", ["cmd/main.go:2 *"]),
        (Query.EXPORTS_OF, "doc", ["doc/write.go:2 Write"]),
        (Query.IMPORTERS_OF, "B\\Tools\\Hammer", ["src/Use.php:3 Hammer"]),
        (Query.DEFINES, "Router", ["router.ts:1 Router"]),
        (Query.DEFINES, "late", ["router.ts:2 late"]),
        (Query.CALLERS_OF, "log::info", ["lib.sh:2 main"]),
        (Query.CALLEES_OF, "Over.a", ["Over.java:1 Over.c"]),
    ],
)
def test_a_folder_of_go_a_whole_name_and_what_is_handed_on(query: Query, name: str, found: list[str]) -> None:
    assert [f"{one.path}:{one.line} {one.name}" for one in answer(query, name, *map_of(FAR))] == found


def test_of_several_files_that_a_name_may_mean_each_importer_says_which() -> None:
    texts = {
        "a/errors.py": "",
        "b/errors.py": "",
        "a/use.py": "from . import errors\n",
        "b/use.py": "import b.errors\n",
    }
    found = [one.what for one in answer(Query.IMPORTERS_OF, "errors.py", *map_of(texts))]
    assert found == ["from ., which is a/errors.py", "from b.errors, which is b/errors.py"]
    assert [one.what for one in answer(Query.IMPORTERS_OF, "a/errors.py", *map_of(texts))] == ["from ."]


def test_a_function_that_calls_a_name_on_several_things_is_one_caller() -> None:
    texts = {
        "a.py": "def f(x, y):\n    y.only()\n    x.only()\n    x.twice(); y.twice()\n",
        "b.py": "class B:\n    def only(self): ...\n    def twice(self): ...\nclass C:\n    def twice(self): ...\n",
    }
    files, links = map_of(texts)
    assert [(one.name, one.line) for one in answer(Query.CALLERS_OF, "only", files, links)] == [("f", 2)]
    assert [(one.name, one.line) for one in answer(Query.CALLERS_OF, "twice", files, links)] == [("f", 4)]
    assert [(one.name, one.line) for one in answer(Query.CALLEES_OF, "f", files, links)] == [
        ("B.only", 2),
        ("twice", 4),
    ]


def test_of_overloads_each_is_a_caller() -> None:
    text = "class Over {\n  void a(int x) { c(); }\n  void a(long x) { c(); }\n  void c() {}\n}\n"
    found = answer(Query.CALLERS_OF, "Over.c", *map_of({"Over.java": text}))
    assert [(one.name, one.line) for one in found] == [("Over.a", 2), ("Over.a", 3)]
