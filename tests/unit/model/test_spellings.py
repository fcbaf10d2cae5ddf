"""A known value is gone however it is quoted, escaped, encoded or wrapped; other text stays. covers: T7 R-SECRET"""

from __future__ import annotations

import base64
import html
import json
import re
import shlex
import string
import struct
from collections.abc import Callable
from html.entities import codepoint2name
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autopilot.model.secrecy.escapes import read_escapes
from autopilot.model.secrecy.redaction import Redactor
from tests.sampling import examples

SAFE = string.ascii_letters + string.digits
PUNCTUATION = "!#$%&()*,-./:;<=>?@[]^_{|}~\"'\\+` éß→😀"
NAMED = {chr(code): f"&{name};" for code, name in codepoint2name.items()} | {"'": "&apos;", "+": "&plus;", "/": "&sol;"}
WRAPS = ["\n", "\n    ", '"\n    "', "'\n'", "\\\n", '" +\n  "', '" \\\n\t"', "\r\n", "\\n  "]
# Ordinary text in which everything is escaped and quoted, without any character of the secrets above.
ORDINARY = st.text(alphabet="\u00fc \n\t'\"\\+&;%$#\u2192", max_size=40)

secrets = st.builds(
    lambda letters, more: "".join(a + b for a, b in zip(letters, more + [""] * len(letters), strict=False)),
    st.text(alphabet=SAFE, min_size=12, max_size=40),
    st.lists(st.sampled_from(["", *PUNCTUATION]), max_size=30),
)


def escape_all(escape: str) -> Callable[[str], str]:
    return lambda value: "".join(escape.format(ord(character)) for character in value)


def escape_bytes(escape: str) -> Callable[[str], str]:
    return lambda value: "".join(escape.format(byte) for byte in value.encode())


def between(quote_mark: str, broken: str) -> Callable[[str], str]:
    return lambda value: quote_mark + value.replace(quote_mark, broken) + quote_mark


def units(value: str) -> tuple[int, ...]:
    raw = value.encode("utf-16-le")
    return struct.unpack(f"<{len(raw) // 2}H", raw)


def lower_percent(value: str) -> str:
    return "".join(f"%{byte:02x}" if chr(byte) not in SAFE else chr(byte) for byte in value.encode())


SPELLINGS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "html": html.escape,
    "xml": lambda value: html.escape(value).replace("&#x27;", "&apos;"),
    "html decimal": escape_all("&#{};"),
    "html hex": escape_all("&#x{:x};"),
    "html hex upper": escape_all("&#X{:X};"),
    "html named": lambda value: "".join(NAMED.get(character, character) for character in value),
    "python": repr,
    "python ascii": ascii,
    "python bytes": lambda value: repr(value.encode()),
    "shell": shlex.quote,
    "shell single": between("'", "'\\''"),
    "shell mixed": between("'", "'\"'\"'"),
    "shell ansi hex": lambda value: f"$'{escape_bytes(chr(92) + 'x{:02x}')(value)}'",
    "shell ansi octal": lambda value: f"$'{escape_bytes(chr(92) + '{:03o}')(value)}'",
    "shell backslashes": lambda value: "".join(c if c in SAFE else f"\\{c}" for c in value),
    "json": json.dumps,
    "json in json": lambda value: json.dumps(json.dumps(value)),
    "json as it is": lambda value: json.dumps(value, ensure_ascii=False),
    "javascript units": lambda value: "".join(f"\\u{unit:04x}" for unit in units(value)),
    "url": lambda value: quote(value, safe=""),
    "url path": quote,
    "url query": quote_plus,
    "url lower": lower_percent,
    "url all": escape_bytes("%{:02x}"),
    "hex": lambda value: value.encode().hex(),
    "hex upper": lambda value: value.encode().hex().upper(),
    "hex colons": lambda value: value.encode().hex(":"),
    "hex upper spaces": lambda value: value.encode().hex(" ").upper(),
    "hex dashes": lambda value: value.encode().hex("-"),
    "hex array": lambda value: ", ".join(f"0x{byte:02x}" for byte in value.encode()),
    "hex lines": lambda value: "\n  ".join(f"{byte:02x}" for byte in value.encode()),
    "base64": lambda value: base64.b64encode(value.encode()).decode(),
    "base64 moved": lambda value: base64.b64encode(b"a:" + value.encode() + b"\n").decode(),
    "base64 url": lambda value: base64.urlsafe_b64encode(value.encode()).decode(),
    "base64 wrapped": lambda value: "\n".join(wrapped(base64.b64encode(value.encode()).decode(), 7)),
}  # fmt: skip


def wrapped(text: str, width: int) -> list[str]:
    return [text[at : at + width] for at in range(0, len(text), width)]


@pytest.mark.parametrize("spelling", SPELLINGS)
@settings(max_examples=examples(40))
@given(secret=secrets, before=ORDINARY, after=ORDINARY)
def test_a_spelt_value_is_gone_from_any_text(spelling: str, secret: str, before: str, after: str) -> None:
    assume(not re.search(r"\\[a-z]", secret))  # spelt, such a value reads as one with a tab or a line end in it
    spelt = SPELLINGS[spelling](secret)
    redactor = Redactor({"KEY": secret}, forms=())
    clean = redactor.redact(f"{before} {spelt} {after}")
    assert spelt not in clean
    assert "[redacted:KEY]" in clean
    assert clean.startswith(before)
    assert clean.endswith(after)
    assert redactor.knows(f"{before} {spelt} {after}")


@pytest.mark.parametrize("wrap", WRAPS)
@settings(max_examples=examples(40))
@given(secret=secrets, column=st.integers(1, 20))
def test_a_value_broken_over_lines_at_any_column_is_gone(wrap: str, secret: str, column: int) -> None:
    # A backslash, or a dollar before a quote, may read as an escape of another character once the value is broken.
    assume("\\" not in secret and ("$" not in secret or not wrap.startswith("'")))
    raw = wrap.join(wrapped(secret, column))
    escaped = wrap.join(html.escape(part) for part in wrapped(secret, column))
    encoded = [wrap.join(wrapped(SPELLINGS[name](secret), column)) for name in ("hex", "base64")]
    for spelt in (raw, json.dumps(raw), escaped, *encoded):
        clean = Redactor({"KEY": secret}, forms=()).redact(f"x = {spelt}.")
        assert spelt not in clean
        assert "[redacted:KEY]" in clean


@given(secret=secrets, text=st.text(alphabet="ghijklmnopqrstuvwyz \n\t'\"\\+&;%$#.:-", max_size=300))
def test_text_without_the_value_stays_as_it_is(secret: str, text: str) -> None:
    redactor = Redactor({"KEY": f"AB12{secret}"}, forms=())
    assert redactor.redact(text) == text
    assert not redactor.knows(text)


def test_words_of_a_sentence_are_no_value_that_was_broken() -> None:
    """Only a line end, or quotes without a space, break a value; two words beside each other are two words."""
    redactor = Redactor({"KEY": "horsebattery9"}, forms=())
    assert redactor.redact("a horse battery9 or horse+ battery9") == "a horse battery9 or horse+ battery9"
    assert redactor.redact("a 'horse'\\\n  'battery9'") == "a '[redacted:KEY]'"


def test_a_value_of_hardly_anything_but_quotes_hides_itself_and_nothing_else() -> None:
    value = "\"' ' \"'+a"
    redactor = Redactor({"KEY": value}, forms=())
    assert (
        redactor.redact(f"an apple, {value} and {json.dumps(value)}") == 'an apple, [redacted:KEY] and "[redacted:KEY]"'
    )


def test_a_value_deep_in_a_large_text_is_known() -> None:
    redactor = Redactor({"KEY": "wJalrXUtnFEMIK7MDENG"}, forms=())
    text = "a line of a large file\n" * 400_000
    assert redactor.knows(f"{text[:3_999_990]}wJalrXUtnF\nEMIK7MDENG{text}")
    assert not redactor.knows(text)


@given(st.text())
def test_reading_escapes_keeps_every_place(text: str) -> None:
    assert len(read_escapes(text)) == len(text)
