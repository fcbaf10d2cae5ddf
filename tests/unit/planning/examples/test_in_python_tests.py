"""Calls that tests write out with their results are found where they rest on nothing else. covers: T8"""

from __future__ import annotations

import pytest

from autopilot.planning.examples.in_any_tests import find_calls
from autopilot.planning.examples.in_python_tests import find_in_python_tests
from autopilot.planning.examples.neighbours import neighbours
from autopilot.planning.examples.places import locate
from autopilot.testtools.expectations.site import Draw

HEAD = "import pytest\nimport shop.money as money\nfrom shop.cart import total, label as name\nfrom shop import tax\n\n"


def found(body: str) -> list[str]:
    return [f"{example.module}: {example.text}" for example in find_in_python_tests(HEAD + body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def test_a():\n    assert total([1, 2]) == 3\n", ["shop.cart: total([1, 2]) == 3"]),
        ("def test_a():\n    assert 3 == total([1], tax=2)\n", ["shop.cart: total([1], tax=2) == 3"]),
        ("def test_a():\n    assert name('x') == 'y'\n", ["shop.cart: label('x') == 'y'"]),
        ("def test_a():\n    assert money.cents('1') == (100, 'c')\n", ["shop.money: cents('1') == [100, 'c']"]),
        ("def test_a():\n    assert tax.of(1) is True\n", ["shop.tax: of(1) == True"]),
        (
            "def test_a():\n    given = [1]\n    got = total(given)\n    assert got == 1\n",
            ["shop.cart: total([1]) == 1"],
        ),
        (
            "@pytest.mark.parametrize('given, wanted', [([1], 1), ([2], 2)])\ndef test_a(given, wanted):\n"
            "    assert total(given) == wanted\n",
            ["shop.cart: total([1]) == 1", "shop.cart: total([2]) == 2"],
        ),
        (
            "class TestCart(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(total([]), 0)\n",
            ["shop.cart: total([]) == 0"],
        ),
    ],
)
def test_a_written_out_call_is_found(body: str, expected: list[str]) -> None:
    assert found(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "def test_a(tmp_path):\n    assert total([1]) == 1\n",  # a fixture
        "def test_a():\n    money.reset()\n    assert total([1]) == 1\n",  # something before it
        "def test_a():\n    with patch('shop'):\n        assert total([1]) == 1\n",
        "def setup_function():\n    pass\n\ndef test_a():\n    assert total([1]) == 1\n",
        "money.reset()\n\ndef test_a():\n    assert total([1]) == 1\n",
        "@pytest.fixture(autouse=True)\ndef clean():\n    pass\n\ndef test_a():\n    assert total([1]) == 1\n",
        "@patch('shop.x')\ndef test_a():\n    assert total([1]) == 1\n",
        "def test_a():\n    assert total((1, 2)) == 3\n",  # would arrive as a list
        "def test_a():\n    assert total([x]) == 3\n",
        "def test_a():\n    assert len([1]) == 1\n",
        "def test_a():\n    assert Cart().total([1]) == 1\n",
        "def test_a(:\n",
    ],
)
def test_a_call_that_rests_on_something_else_is_left_alone(body: str) -> None:
    assert found(body) == []


SHOP = "class Cart:\n    def total(self, unit): ...\n\n    async def later(self): ...\n\n\ndef label(x): ...\n"


@pytest.mark.parametrize(
    ("call", "asked"),
    [
        ('Cart([1, 2]).total("EUR")', ("Cart.total", ([1, 2],), ("EUR",))),
        ("Cart().total(3)", ("Cart.total", (), (3,))),
        ("Cart([1]).total()", ("Cart.total", ([1],), ())),
        ('label("x").upper()', ("label", (), ("x",))),  # a function: what is done with its result is another matter
        ("Cart().total()", None),  # asks with nothing
        ("Cart(size=1).total(3)", None),
        ("Cart(size).total(3)", None),
        ("Cart().later(3)", None),
        ("Cart().missing(3)", None),
    ],
)
def test_methods_are_asked_of_objects_that_are_written_out(call: str, asked: tuple[str, object, object] | None) -> None:
    text = f"from shop import Cart, label\n\n\ndef test_a():\n    assert {call} == 1\n"
    found = [example for example in find_calls("test_a.py", text) if locate(example, {"shop.py": SHOP})]
    assert [(example.called, example.made, example.arguments) for example in found] == ([asked] if asked else [])


def test_neighbours_of_a_method_change_what_its_object_is_made_of_too() -> None:
    text = 'from shop import Cart\n\n\ndef test_a():\n    assert Cart("ab").total("EUR") == 1\n'
    others = neighbours(find_calls("test_a.py", text), Draw("a commit"), ())
    assert {example.called for example in others} == {"Cart.total"}
    assert any(example.made != ("ab",) and example.arguments == ("EUR",) for example in others)
    assert any(example.made == ("ab",) and example.arguments != ("EUR",) for example in others)
