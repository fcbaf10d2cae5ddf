"""Which files handle what people do. BEH"""

from __future__ import annotations

import pytest

from autopilot.inspection.handlers import handles_events

# covers: BEH


@pytest.mark.parametrize(
    ("path", "text", "handles"),
    [
        ("src/Cart.tsx", "<button onClick={buy}>", True),
        ("src/Cart.tsx", "<b>{total}</b>", False),
        ("src/Cart.test.tsx", "<button onClick={buy}>", False),
        ("ui/cart.js", "field.addEventListener('input', count)", True),
        ("api/cart.js", "field.addEventListener('input', count)", False),  # no user interface by its place
        ("src/Cart.vue", '<form @submit.prevent="buy">', True),
        ("src/Cart.vue", '<a v-on:click="buy">', True),
        ("src/Cart.svelte", "<button on:click={buy}>", True),
        ("src/cart.css", "a { color: red }", False),
        ("page.html", '<a onclick="go()">', False),  # a page by itself is only looked at
        ("src/Cart.tsx", "// send it to ada@example.org = never", False),
    ],
)
def test_code_of_a_user_interface_handles_events_where_it_says_what_happens_then(
    path: str, text: str, handles: bool
) -> None:
    assert handles_events(path, text) is handles
