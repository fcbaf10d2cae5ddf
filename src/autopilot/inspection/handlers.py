"""Files of a user interface that handle what people do: clicks, keys, forms, drags."""

from __future__ import annotations

import re

from autopilot.text.file_kind import is_frontend_code

# React and the DOM, Vue, Svelte, Angular: an attribute or a call that says what happens then.
_HANDLES = re.compile(
    r"\bon[A-Z][A-Za-z]{2,30}\s{0,3}=|\bon(?:click|submit|change|input|key\w{2,6}|drag\w{0,6}|drop)\s{0,3}=|"
    r"\baddEventListener\(|(?<!\S)@[a-z]{3,20}(?:\.[a-z]{2,12}){0,3}=|\bv-on:|\bon:[a-z]{3,20}|(?<!\S)\([a-z]{3,20}\)="
)


def handles_events(path: str, text: str) -> bool:
    return is_frontend_code(path) and _HANDLES.search(text) is not None
