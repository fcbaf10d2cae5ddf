"""Source text with its comments, or its strings as well, blanked out: same length, same lines.

By rule, without a grammar: good enough to look for words that must not stand in a comment or a string. No pattern goes
back over more than a few hundred characters, so no text makes it slow.
"""

from __future__ import annotations

import re

from autopilot.text.file_kind import suffix_of
from autopilot.text.lazy_regex import lazy_regex

_BLOCK = r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*+\"?"
_SINGLE = r"'(?:[^'\\\n]|\\.)*+'?"
_TICKED = r"`(?:[^`\\]|\\.)*+(?:`|\Z)"
_CHAR = r"'(?:\\[^\n']{1,10}|[^'\\\n])'"  # and no lifetime of Rust
_REGEX = r"(?<=[=(,:;!&|?{}\[\n ])/(?![/*\s])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,100}+\]){1,200}+/"
_TRIPLE = r"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+(?:\"\"\"|\Z)|'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"


def _masks(comment: str, string: str) -> re.Pattern[str]:
    return lazy_regex(f"(?P<comment>{comment})|(?P<string>{string})", re.DOTALL)


_SCRIPT = _masks(f"//[^\n]*|{_BLOCK}", f"{_QUOTED}|{_SINGLE}|{_TICKED}|{_REGEX}")
_BRACES = _masks(f"//[^\n]*|{_BLOCK}", f"{_QUOTED}|{_CHAR}|{_TICKED}")
_PHP = _masks(f"(?://|#)[^\n]*|{_BLOCK}", f"{_QUOTED}|{_SINGLE}")
_HASH = _masks("#[^\n]*", f"{_TRIPLE}|{_QUOTED}|{_SINGLE}")


def _suffixes(names: str, masks: re.Pattern[str]) -> dict[str, re.Pattern[str]]:
    return {f".{word}": masks for word in names.split()}


_LANGUAGES = {
    **_suffixes("js mjs cjs jsx ts mts cts tsx vue svelte", _SCRIPT),
    **_suffixes("go rs java kt kts cs swift scala groovy c h cc cpp hpp dart", _BRACES),
    **_suffixes("py pyi rb sh bash pl ex exs", _HASH),
    **_suffixes("php", _PHP),
}


def is_masked(path: str) -> bool:
    """Whether the language is known here."""
    return suffix_of(path) in _LANGUAGES


def mask(path: str, text: str, *, strings: bool) -> str:
    """``strings``: blank those out too, all but their marks. A language that is not known stays as it is."""
    pattern = _LANGUAGES.get(suffix_of(path))
    if pattern is None:
        return text

    def blank(found: re.Match[str]) -> str:
        matched = found[0]
        if found.lastgroup == "comment":
            return _blanked(matched)
        return matched[0] + _blanked(matched[1:-1]) + matched[-1:] if strings and len(matched) > 1 else matched

    return pattern.sub(blank, text)


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
