"""A small map by the real readers, from texts by path."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from autopilot.model.repomap.code_map import Links
from autopilot.model.repomap.facts import FileFacts
from autopilot.repomap.extracting import extract
from autopilot.repomap.languages import language_of
from autopilot.repomap.linking import link

SHOP = {
    "shop/cart.py": """\
        from shop.prices import price_of, Discount

        class Cart:
            def total(self) -> int:
                return sum(price_of(item) for item in self.items)

        def empty_cart(cart: Cart) -> None:
            cart.items.clear()
        """,
    "shop/prices.py": """\
        class Discount:
            percent = 0

        def price_of(item: str, currency: str = "EUR") -> int:
            return _look_up(item)

        def _look_up(item):
            return 1
        """,
    "shop/mail.py": "def send_mail(to, text):\n    pass\n",
    "tests/test_cart.py": "from shop.cart import Cart, empty_cart\n\ndef test_total():\n    empty_cart(Cart())\n",
    "README.md": "# A shop\n\nIt sells books.\n",
}


def map_of(texts: Mapping[str, str]) -> tuple[dict[str, FileFacts], Links]:
    files = {path: extract(dedent(text).encode(), language_of(path)) for path, text in sorted(texts.items())}
    return files, link(files)


def count_words(texts: Mapping[str, str], stems: tuple[str, ...]) -> dict[str, dict[str, int]]:
    return {
        path: {stem: text.lower().count(stem) for stem in stems if stem in text.lower()} for path, text in texts.items()
    }
