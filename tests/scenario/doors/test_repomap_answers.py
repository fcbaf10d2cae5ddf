"""`autopilot repomap query` and `top` in a repository that knows nothing of Autopilot. covers: CMD-REPOMAP, REPOMAP"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scenario.kit.world import World

CART = """\
from shop.prices import price_of


class Cart:
    def total(self):
        return price_of(self)
"""
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "shop/prices.py": "def price_of(item: str) -> int:\n    return 1\n",
    "web/mail.ts": "export function sendMail(to: string): void {}\n",
    "web/app.ts": 'import { sendMail } from "./mail";\nsendMail("you");\n',
    "notes.txt": "A currency converter would be nice.\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("shop"))
    world.git("init", "-q", "-b", "main")
    for path, text in FILES.items():
        world.write(path, text)
    world.commit("a shop")
    return world


@pytest.mark.parametrize(
    ("kind", "name", "printed"),
    [
        ("importers-of", "shop/prices.py", "shop/cart.py:1: price_of: from shop.prices\n"),
        ("importers-of", "web/mail.ts", "web/app.ts:1: sendMail: from ./mail\n"),
        ("callers-of", "price_of", "shop/cart.py:6: Cart.total: calls price_of of shop/prices.py\n"),
        ("callees-of", "Cart.total", "shop/cart.py:6: price_of: of shop/prices.py, called by Cart.total\n"),
        ("defines", "sendMail", "web/mail.ts:1: sendMail(to: string) -> void\n"),
        ("exports-of", "web/mail.ts", "web/mail.ts:1: sendMail: function\n"),
        ("similar-name", "send_mail", "web/mail.ts:1: sendMail(to: string) -> void\n"),
    ],
)
def test_a_question_is_answered_without_a_roadmap_and_without_a_build_before(
    shop: World, kind: str, name: str, printed: str
) -> None:
    ran = shop.autopilot("repomap", "query", kind, name)
    assert (ran.status, ran.out) == (0, printed), ran.err


def test_nothing_found_says_so_with_names_that_are_there(shop: World) -> None:
    ran = shop.autopilot("repomap", "query", "defines", "priceOf")
    said = "nothing of this repository is called priceOf; similar names: price_of\n"
    assert (ran.status, ran.out, ran.err) == (0, said, "")
    for kind in ("callers-of", "callees-of"):
        assert shop.autopilot("repomap", "query", kind, "priceOf").out == said
    unused = shop.autopilot("repomap", "query", "callers-of", "Cart.total")
    assert unused.out == "no call of Cart.total was found\n"
    gone = shop.autopilot("repomap", "query", "exports-of", "shop/gone.py")
    assert gone.out.startswith("there is no file shop/gone.py in the map")


def test_the_answer_as_json_has_every_field(shop: World) -> None:
    document = json.loads(shop.autopilot("repomap", "query", "callers-of", "price_of", "--json").out)
    (found,) = document["found"]
    assert found["path"] == "shop/cart.py"
    assert found["is_certain"] is True
    assert document["unresolved_calls"] == 0


def test_top_finds_files_by_words_of_their_texts_and_by_name(shop: World) -> None:
    assert shop.autopilot("repomap", "top", "currency", "converter").out.splitlines()[0] == "notes.txt"
    by_file = shop.autopilot("repomap", "top", "--file", "web/mail.ts").out.splitlines()
    assert by_file[:2] == ["web/mail.ts", "  1: sendMail(to: string) -> void"]
    everything = json.loads(shop.autopilot("repomap", "top", "--json").out)
    assert set(everything["files"]) == set(FILES)
    small = json.loads(shop.autopilot("repomap", "top", "--tokens", "12", "--json").out)
    assert small["tokens"] <= 12
    assert len(small["text"]) <= 48


def test_what_is_not_committed_yet_is_in_the_answer_and_in_a_commit_it_is_not(shop: World) -> None:
    shop.write("shop/fresh.py", "def brand_new_thing(): ...\n")
    here = shop.autopilot("repomap", "query", "defines", "brand_new_thing")
    assert here.out == "shop/fresh.py:1: brand_new_thing()\n"
    assert shop.autopilot("repomap", "top", "brand", "thing").out.splitlines()[0] == "shop/fresh.py"
    assert shop.autopilot("repomap", "query", "defines", "brand_new_thing", "--commit", "HEAD").out.startswith(
        "nothing"
    )
    (shop.project / "shop/fresh.py").unlink()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("query", "eats", "x"), "importers-of"),
        (("query", "defines"), "NAME"),
        (("top", "--tokens", "0"), "--tokens 0 is not a length"),
        (("query", "defines", "x", "--commit", "nowhere"), "nowhere is no commit of this repository"),
    ],
)
def test_a_wrong_question_is_refused_with_a_hint(shop: World, words: tuple[str, ...], complaint: str) -> None:
    ran = shop.autopilot("repomap", *words)
    assert ran.status == 2
    assert complaint in ran.err
    assert "hint: " in ran.err


def test_outside_of_a_repository_there_is_nothing_to_map(tmp_path: Path) -> None:
    world = World(tmp_path)
    ran = world.autopilot("repomap", "top")
    assert ran.status == 2
    assert "hint: " in ran.err
