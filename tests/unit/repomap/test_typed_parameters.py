"""What is called on a parameter is what its type defines. covers: REPOMAP"""

from __future__ import annotations

import pytest

from autopilot.repomap.typed_parameters import types_of
from tests.unit.repomap.small_map import map_of

SIGNATURES = {
    "python": (
        ("self", "cart: Cart", "a: 'shop.Till | None' = None", "b: Optional[Till]", "*c: Till", "d: list[Till]"),
        {"cart": "Cart", "a": "shop.Till", "b": "Till"},
    ),
    "typescript": (
        ("private readonly cart: Cart<string>", "a?: shop.Till", "b: Cart | Till", "c: Till[]", "d: Till | null"),
        {"cart": "Cart", "a": "shop.Till", "d": "Till"},
    ),
    "rust": (
        ("&mut self", "cart: &'a mut Cart<T>", "a: &dyn shop::Till", "b: Vec<Till>"),
        {"cart": "Cart", "a": "shop.Till"},
    ),
    "go": (("cart *shop.Cart", "a Till", "b []Till", "c ...Till"), {"cart": "shop.Cart", "a": "Till"}),
    "java": (("final Cart<T> cart", "Till a", "Till[] b"), {"cart": "Cart", "a": "Till"}),
    "php": (("?Cart $cart = null", r"\Shop\Till $a", "$b"), {"$cart": "Cart", "$a": "Shop.Till"}),
    "cpp": (("const Cart& cart", "shop::Till *a"), {"cart": "Cart", "a": "shop.Till"}),
    "kotlin": (("cart: Cart?", "a: Till = Till()"), {"cart": "Cart", "a": "Till"}),
    "ruby": (("cart", "a: 1"), {}),
}


@pytest.mark.parametrize("language", SIGNATURES)
def test_a_signature_names_the_types_of_its_parameters(language: str) -> None:
    params, types = SIGNATURES[language]
    assert types_of(params, language) == types


SHOPS = {
    "python": {
        "use.py": "from shop import Cart\nimport shop\nfrom os import Till as Far\n"
        "def f(cart: Cart, till: shop.Till, far: Far):\n    cart.total(); till.total(); far.only()\n",
        "shop.py": "class Cart:\n    def total(self): ...\nclass Base:\n    def total(self): ...\n"
        "class Till(Base):\n    def only(self): ...\n",
    },
    "go": {
        "use/use.go": 'package use\nimport ("x.org/shop"\n"x.org/far/pflag")\n'
        "func f(cart *shop.Cart, till *Till, far *pflag.Set) { cart.Total(); till.Total(); far.Only() }\n"
        "type Till struct{}\nfunc (t *Till) Total() {}\nfunc (t *Till) Only() { t.Total() }\n",
        "shop/shop.go": "package shop\ntype Cart struct{}\n",
        "shop/total.go": "package shop\nfunc (c *Cart) Total() { c.sum() }\n",
        "shop/sum.go": "package shop\nfunc (c *Cart) sum() {}\nfunc (t till) sum() {}\n",
    },
    "typescript": {
        "use.ts": "import { Cart } from './shop'\nimport type * as shop from './shop'\n"
        "export function f(cart: Cart, till?: shop.Till) { cart.total(); till.total() }\n",
        "shop.ts": "export class Cart { total() {} }\nexport class Till { total() {} }\n",
    },
}
MEANT = {
    "python": {("f", "Cart.total"), ("f", "Base.total")},
    "go": {("f", "Cart.Total"), ("f", "Till.Total"), ("Till.Only", "Till.Total"), ("Cart.Total", "Cart.sum")},
    "typescript": {("f", "Cart.total"), ("f", "Till.total")},
}


@pytest.mark.parametrize("language", SHOPS)
def test_a_call_on_a_parameter_means_the_method_of_its_type(language: str) -> None:
    """And none of the project where the type is imported from outside."""
    _, links = map_of(SHOPS[language])
    assert {(edge.caller, edge.callee) for edge in links.calls if edge.is_certain} == MEANT[language]
    assert not [edge for edge in links.calls if not edge.is_certain]
    assert not links.ambiguous
