"""A shell text in words, operators and redirects: what the grammar of bash sees, at the places where it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.text.shell import split_parts
from autopilot.text.shell_tokens import Operator, Redirect, Word, read_shell


def words_of(text: str) -> list[tuple[str, bool]]:
    shell = read_shell(text)
    assert shell is not None
    return [(token.text, token.is_literal) for token in shell.tokens if isinstance(token, Word)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a 'b c' \"d e\"", [("a", True), ("b c", True), ("d e", True)]),
        ("a\\ b \\*", [("a b", True), ("*", True)]),
        ('"a \\" \\$b"', [('a " $b', True)]),
        ('a"$B"/c', [("a$B/c", False)]),
        ("A=1 b --c=*.py", [("A=1", True), ("b", True), ("--c=*.py", False)]),
        ("a $(b; c) `d`", [("a", True), ("$(b; c)", False), ("`d`", False)]),
        ("a {1..3} $'x'", [("a", True), ("{1..3}", False), ("$'x'", False)]),
        ("a \\\n  b", [("a", True), ("b", True)]),
        ("cat - <<E\nx\nE", [("cat", True), ("-", True)]),
        ("[[ a && b ]]", [("[[", False), ("a", True), ("&&", True), ("b", True), ("]]", False)]),
        ("é 'ü'", [("é", True), ("ü", True)]),
    ],
)
def test_a_word_is_what_the_command_sees(text: str, words: list[tuple[str, bool]]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("text", "redirects"),
    [
        ("a > b c", ["> b"]),
        ("a 2>&1 >>b", ["2>&1", ">>b"]),
        ("a < b <<< 'c d'", ["< b", "<<< 'c d'"]),
        ("a <<'E' | b\nx | y\nE", ["<<'E'"]),
    ],
)
def test_a_redirect_is_its_sign_and_its_target(text: str, redirects: list[str]) -> None:
    shell = read_shell(text)
    assert shell is not None
    assert [text[token.start : token.end] for token in shell.tokens if isinstance(token, Redirect)] == redirects


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a &&\n  b", [("", "a"), ("&&", "b")]),
        ("a\n(b; c)\n{ d; }\n(e)", [("", "a"), ("\n", "(b; c)"), ("\n", "{ d; }"), ("\n", "(e)")]),
        ("f() { a; b; }\nf", [("", "f() { a; b; }"), ("\n", "f")]),
        ("[[ a && b ]] || c", [("", "[[ a && b ]]"), ("||", "c")]),
        ("cat <<E | b\nx; y\nE\nc", [("", "cat <<E"), ("|", "b\nx; y\nE"), ("\n", "c")]),
        ("# a; b\nc  # d", [("\n", "c")]),
        ("a;b&c", [("", "a"), (";", "b"), ("&", "c")]),
        ("if a; then b; fi", [("", "if a"), (";", "then b"), (";", "fi")]),
    ],
)
def test_a_command_is_cut_at_operators_outside_of_groups_and_quotes(text: str, parts: list[tuple[str, str]]) -> None:
    assert [(part.before, part.text) for part in split_parts(text) if part.text] == parts


@pytest.mark.parametrize("text", ["a 'b", "a )", "(a", "if a; then", "a && && b"])
def test_what_is_no_shell_is_said_to_be_none(text: str) -> None:
    shell = read_shell(text)
    assert shell is not None and not shell.is_valid


PIECES = [*"aé'\"`$(){}<>E\n;&|#\\=*2", "<<", "[[", "]]"]
SHELLISH = st.lists(st.sampled_from(PIECES), max_size=30)


@given(SHELLISH.map(" ".join) | SHELLISH.map("".join) | st.text(max_size=40).filter(lambda text: "\0" not in text))
def test_whatever_is_read_stands_where_it_says(text: str) -> None:
    shell = read_shell(text)
    assert shell is not None
    place = 0
    for token in shell.tokens:
        assert place <= token.start
        place = token.start if isinstance(token, Operator) else token.end
        if isinstance(token, Operator):
            assert token.text == "\n" or text.startswith(token.text, token.start)
    assert place <= len(text)


def test_a_text_that_no_command_can_hold_is_not_read() -> None:
    assert read_shell("\\\0" * 20_000) is None
