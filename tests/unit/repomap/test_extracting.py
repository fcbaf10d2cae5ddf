"""Texts that are hard to read: they come to what can be said of them, with the problem named."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from random import Random

import pytest

from autopilot.model.repomap.facts import Call, FileFacts, Import, Problem
from autopilot.repomap.extracting import extract
from autopilot.repomap.grammars.table import GRAMMARS
from autopilot.repomap.languages import language_of
from autopilot.repomap.unreadable import MOST_BYTES
from tests.seed import chance
from tests.unit.repomap.python_rows import rows_by_ast, rows_of_map

STANDARD = Path(sysconfig.get_path("stdlib"))
FIXTURES = sorted(path for path in (Path(__file__).parent / "fixtures").iterdir() if path.suffix != ".rows")
IS_LONG = bool(os.environ.get("AUTOPILOT_CHAOS"))


def patient(_: int) -> bool:
    """No test goes by time."""
    return False


def standard_files() -> list[Path]:
    files = sorted(path for path in STANDARD.rglob("*.py") if "site-packages" not in path.parts)
    return files if IS_LONG else chance("standard library").sample(files, min(len(files), 60))


def test_python_is_read_as_its_own_parser_reads_it() -> None:
    """Definitions, classes and imports of the standard library, file by file. covers: REPOMAP"""
    different = []
    for path in standard_files():
        text = path.read_bytes()
        expected = rows_by_ast(text)
        if (
            expected is not None
            and len(text) <= MOST_BYTES
            and rows_of_map(extract(text, "python", patient)) != expected
        ):
            different.append(path)
    assert different == []


@pytest.mark.parametrize(
    ("text", "language", "problem"),
    [
        (b"def a(): ...\n\0", "python", Problem.BINARY),
        (b"x = 1\n" * (MOST_BYTES // 6 + 1), "python", Problem.TOO_LARGE),
        (b"var a=1;" * 2_000, "javascript", Problem.MINIFIED),
        (b"# \xff\xfe\ndef caf\xe9(): ...\n", "python", Problem.NOT_UTF8),
        (b"function a( {\nclass B {}\n", "typescript", Problem.SYNTAX),
    ],
)
def test_a_problem_is_named(text: bytes, language: str, problem: Problem) -> None:
    assert problem in extract(text, language).problems


def test_what_stands_beside_an_error_is_read() -> None:
    facts = extract(b"def good(): ...\n\ndef (\n\nclass Fine: ...\n", "python")
    assert [item.name for item in facts.functions] == ["good"] and facts.problems == (Problem.SYNTAX,)


def test_a_text_of_pieces_alone_is_marked_and_the_next_is_read() -> None:
    """What a query costs on such a text grows faster than the text: it is not asked."""
    facts = extract(b"function a() {}\n" + b"(((\n" * 20_000, "typescript", patient)
    assert facts.problems == (Problem.SYNTAX,) and facts.functions == ()
    assert [item.name for item in extract(b"function next() {}", "typescript").functions] == ["next"]


def test_an_unknown_language_is_a_file_and_no_more() -> None:
    assert extract(b"hello\nworld", "other") == FileFacts("other", 2)


@pytest.mark.parametrize("ending", [b"\r\n", b"\r", b"\n"])
def test_every_kind_of_line_break_counts(ending: bytes) -> None:
    facts = extract(ending.join([b"import a", b"", b"def f(): ..."]), "python")
    assert (facts.imports[0].line, facts.functions[0].line) == (1, 3)


def test_an_encoding_that_the_file_names_is_read() -> None:
    facts = extract("# coding: latin-1\ndef größe(): ...\n".encode("latin-1"), "python")
    assert [item.name for item in facts.functions] == ["größe"] and facts.problems == ()


def test_a_call_is_counted_once_for_each_function() -> None:
    facts = extract(b"def f():\n    g(); g()\n    a.b.g()\n    x().g()\n", "python")
    assert facts.calls == (
        Call("g", "", "f", 2, 2),
        Call("g", "a.b", "f", 3),
        Call("x", "", "f", 4),
        Call("g", "?", "f", 4),
    )


def test_python_that_the_grammar_cannot_read_is_read_by_its_own_parser() -> None:
    """``print`` as a name is a statement of old to the grammar. covers: REPOMAP"""
    text = (
        b"import a.b as c\nfrom . import d\n\nclass X(c.Y):\n    def m(self): return print >> 1 if print else c.f()\n"
    )
    assert rows_of_map(extract(text, "python")) == rows_by_ast(text)


def test_typescript_that_the_grammar_does_not_know_is_read() -> None:
    text = b"interface A<in out T> {\n  <B>(b: B): T\n  <C>(c: C): T\n  m(): void\n}\nimport x from './x'\n"
    facts = extract(text, "typescript")
    assert facts.problems == () and [item.methods for item in facts.classes] == [("m",)]
    assert facts.imports == (Import("./x", ("default",), ("x",), 6),)


PIECES = (b"{", b"(", b"'", b'"', b"`", b"\0", b"\xff", b"<", b"/*", b"\n", b"\t", b"#", b"=>")


def test_c_with_words_for_its_signs_is_read() -> None:
    text = (
        b"int\nf(int a) {\n    if (a > 1 and not_b or (not a)) return 1;\n    if (g(a) or (a and h())) return 2;\n}\n"
    )
    facts = extract(text, "c")
    assert [(item.name, item.line, item.end_line) for item in facts.functions] == [("f", 2, 5)]
    assert facts.problems == () and {call.name for call in facts.calls} == {"g", "h"}


def test_mutated_texts_neither_crash_nor_hang() -> None:
    """20,000 with AUTOPILOT_CHAOS. covers: REPOMAP"""
    random = chance("mutated sources")
    for number in range(20_000 if IS_LONG else 300):
        sample = FIXTURES[number % len(FIXTURES)]
        language = language_of(sample.name)
        assert extract(_mutated(sample.read_bytes(), random), language).language == language


def _mutated(text: bytes, random: Random) -> bytes:
    for _ in range(random.randint(1, 12)):
        start, length = random.randrange(len(text) + 1), random.randint(1, 60)
        other = random.randrange(len(text) + 1)
        new = random.choice(
            [b"", random.choice(PIECES) * length, text[other : other + 3 * length], random.randbytes(length % 3)]
        )
        text = text[:start] + new + text[start + random.choice([0, length]) :]
    return text


def test_deep_nesting_is_read_or_marked() -> None:
    for language, opening in (("python", b"("), ("javascript", b"["), ("c", b"{"), ("ruby", b"[")):
        assert extract(opening * 20_000, language, patient).language == language
    assert set(GRAMMARS) >= {"python", "javascript", "c", "ruby"}
