"""A spec's examples are found where they are meant as such, read without being run, and traced to a function.
covers: T8.H, T1"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.model.evidence.example import Example, Language, Place
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.examples.literals import read_call, whole_literal
from autopilot.planning.examples.owner import in_roadmap, is_due, read_owners
from autopilot.planning.examples.places import locate
from autopilot.planning.examples.reading import find_examples
from tests.unit.making import make_brief


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"a"', "a"),
        (r"'it\'s'", "it's"),
        (r'"tab\t\u00e9\x41"', "tab\té" + "A"),
        (r'"\ud83d\ude00"', "😀"),
        ("-1_000", -1000),
        ("1.50", 1.5),
        (".5e1", 5.0),
        ("None", None),
        ("null", None),
        ("true", True),
        ("(1, (2,), ())", [1, [2], []]),
        ("(1)", 1),
        ("[1, [None, false],]", [1, [None, False]]),
        ("{'a': {b: 1}, 2: []}", {"a": {"b": 1}, "2": []}),
    ],
)
def test_literals_of_three_languages_become_json(text: str, value: object) -> None:
    assert whole_literal(text) == (value,)
    assert type((whole_literal(text) or ("",))[0]) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "{1, 2}", "NaN", "1e999", "1.2.3", "007", 'b"x"', '"""x"""', r'"\d"', r'"\ud83d"', '"a', "[1 2]"),
        *("undefined", "[" * 50 + "]" * 50, "1 + 1", "__import__('os')", "{[1]: 2}"),
    ],
)
def test_what_is_no_literal_in_every_reading_is_none(text: str) -> None:
    assert whole_literal(text) is None


def test_a_call_has_literal_arguments_and_keywords_last() -> None:
    assert read_call('text.slugify("a)b", 2, sep="_")') is not None
    assert [read_call(call) for call in ("f(x)", "f(a=1, 2)", "f(1", "f(g(1))", "f[1](2)", "1(2)")] == [None] * 6


SLUG = ("slugify", ("A b",), "a-b")


@pytest.mark.parametrize(
    "text",
    [
        '`slugify("A b") -> "a-b"`',
        '- `slugify("A b")` → `"a-b"`',
        '- [ ] **TXT-01**: titles become slugs: `slugify("A b")` returns `"a-b"`.',
        '1. `slugify("A b")` should return "a-b"',
        "* slugify('A b') => 'a-b'",
        'For titles, ``slugify("A b") == "a-b"``, and so on',
        "```python\n>>> slugify(\"A b\")\n'a-b'\n```",
        ">>> slugify(\n...     'A b'\n... )\n'a-b'\n>>> other(x)\n",
        '```js\nslugify("A b"); // no\nslugify("A b") // => "a-b"\n```',
        '```\nassert slugify("A b") == "a-b"  # hyphens\n```',
        '| Call | Result |\n|---|---|\n| `slugify("A b")` | `"a-b"` |',
        '| What | Example |\n|---|---|\n| spaces | `slugify("A b") -> "a-b"` |',
        '`slugify("A b") -> "a-b"`\r\n',
    ],
)
def test_an_example_is_found_in_every_form(text: str) -> None:
    assert [(e.function, e.arguments, e.expected) for e in find_examples(text)] == [SLUG]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("`f(-1)` raises `ValueError`.", "ValueError"),
        ("- [ ] **AGE-02**: `f(-1)` must raise a ValueError, and so on", "ValueError"),
        ("`f(-1)` → ValueError", "ValueError"),
        ("`f(-1) -> raises ValueError`", "ValueError"),
        ("`f(-1)` raises `kit.errors.BadAge` and nothing else", "BadAge"),
        ("`f(-1)` raises InvalidAge.", "InvalidAge"),
        ("`f(-1)` throws an error.", ""),
        ("```js\nf(-1) // throws RangeError\n```", "RangeError"),
        (">>> f(-1)\nTraceback (most recent call last):\n  ...\nValueError: no", "ValueError"),
        ("| call | result |\n|---|---|\n| `f(-1)` | raises `ValueError` |", "ValueError"),
        ("| call | expected |\n|---|---|\n| `f(-1)` | `ValueError` |", "ValueError"),
    ],
)
def test_an_error_that_is_expected_is_an_example_too(text: str, error: str) -> None:
    assert [(e.function, e.arguments, e.raises) for e in find_examples(text)] == [("f", (-1,), error)]


@pytest.mark.parametrize(
    "text",
    [
        "`f(-1)` raises `ValueError` if strict",
        "`f(-1)` raises the price",
        "`f(-1)` is an error",
        "`f(-1)` raises `ValueError` and `f(-1)` returns `2`",
        "`f(-1)` raises `ValueError`, `f(-1)` raises `TypeError`",
    ],
)
def test_an_error_under_a_condition_or_told_in_two_ways_is_none(text: str) -> None:
    assert [e for e in find_examples(text) if e.raises is not None] == []


@pytest.mark.parametrize(
    "text",
    [
        '`slugify(title) -> "a-b"`',
        '`slugify("A b") -> slug`',
        "`def close() -> None`",
        "`close() -> None`",
        "`reset(kind=None) -> None`",
        '`f("a") -> 2 items`',
        '`f("a")` returns `2` if the flag is set',
        'When strict, `f("a") -> 2`',
        'Currently `f("a")` returns `2`.',
        '`f("a")` returns `2` instead of `3`',
        '## Out of scope\n\n`f("a") -> 2`',
        '## Known bugs\n\n### Parser\n\n```\nf("a") -> 2\n```',
        'This is wrong:\n\n```\nf("a") -> 2\n```',
        '<!-- `f("a") -> 2` -->',
        "<details>\n\n`f(1) -> 2`\n\n</details>",
        '```bash\nf("a") -> 2\n```',
        '```js\nif (f("a") === 2) {\n```',
        ">>> f('a')  # doctest: +SKIP\n2",
        ">>> f('a')\n",
        '`f("a") -> 2` and `f("a") -> 3`',
        "`is_ready()` returns `true`",
        "",
        "`",
    ],
)
def test_what_may_mean_something_else_is_no_example(text: str) -> None:
    assert find_examples(text) == ()


def test_an_example_knows_its_line_its_text_and_its_module() -> None:
    text = '# Spec\n\n- `kit.text.pad("a", width=3)` gives `"  a"`\n- `kit.text.pad("a", width=3)` gives `"  a"`\n'
    assert find_examples(text) == (
        Example("pad", ("a",), {"width": 3}, "  a", 3, 'kit.text.pad("a", width=3) -> "  a"', "kit.text"),
    )


@pytest.mark.parametrize("part", ["`f(1)` -> ", "`" * 3, "f(", "[", ">>> f(1)\n", "| `f(1)` ", "f(1) -> 1 ", "\\", '"'])
def test_long_odd_text_is_read_to_the_end(part: str) -> None:
    assert isinstance(find_examples(part * 4_000), tuple)


def example(function: str = "slugify", module: str = "", **keywords: Any) -> Example:
    return Example(function, ("A b",), keywords, "a-b", 3, "slugify", module)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/kit/text.py", "import re\n\n\ndef slugify(title: str) -> str:\n    return title\n"),
        ("text.py", "@cache\nasync def slugify(title):\n    ..."),
        ("lib/text.js", "// slugs\nexport async function slugify(title) {}"),
        ("lib/text.mjs", "const slugify = (t) => t;\nexport { other, slugify };"),
        ("lib/text.mjs", "export { make as slugify }"),
        ("lib/text.mjs", "export const slugify = (t) => t"),
        ("lib/text.cjs", "module.exports = { other, slugify }"),
        ("lib/text.js", "module.exports = { slugify: (t) => t }"),
        ("lib/text.js", "function slugify(t) {}\nmodule.exports = slugify;"),
        ("lib/text.js", "exports.slugify = (t) => t"),
    ],
)
def test_a_function_is_located_where_it_can_be_called_from_outside(path: str, text: str) -> None:
    language = Language.PYTHON if path.endswith(".py") else Language.NODE
    assert locate(example(), {path: text, "other.py": "x = 1"}) == Place(path, "slugify", language)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "class Text:\n    def slugify(self): ..."),
        ("a.py", "slugify = 3"),
        ("a.py", "@app.route('/')\ndef slugify(title): ..."),
        ("a.js", "function slugify(t) {}"),
        ("a.js", "// export function slugify() {}"),
        ("a.ts", "export function slugify(t: string) {}"),
        ("a.rb", "def slugify(t)"),
    ],
)
def test_what_cannot_be_called_from_outside_has_no_place(path: str, text: str) -> None:
    assert locate(example(), {path: text}) is None


def test_two_places_are_none_unless_the_spec_names_the_module() -> None:
    files = {"src/kit/text.py": "def slugify(t): ...", "src/kit/web.py": "def slugify(t): ..."}
    assert locate(example(), files) is None
    assert locate(example(module="kit.web"), files) == Place("src/kit/web.py", "slugify", Language.PYTHON)
    assert locate(example(module="web.kit"), files) is None


def test_javascript_has_no_arguments_by_name() -> None:
    assert locate(example(sep="_"), {"a.js": "exports.slugify = 1"}) is None


SPEC = """# Requirements

- [ ] **REQ-1**: slugs
  - `slugify("A b") -> "a-b"`
- [ ] **REQ-2**: `unslug("a-b") -> "A b"` and more of shorten

## Examples

`shorten("abc", 2) -> "ab"`
"""


def test_an_example_is_due_with_its_requirement_and_not_while_another_phase_is_to_bring_it() -> None:
    slugify, unslug, shorten = find_examples(SPEC)
    owners, one, two = read_owners(SPEC), make_brief(), make_brief(PhaseId("2"))
    assert [is_due(e, owners, one, [two]) for e in (slugify, unslug, shorten)] == [True, False, False]
    assert [is_due(e, owners, two, []) for e in (slugify, unslug, shorten)] == [False, True, True]


def test_of_a_roadmap_only_the_phases_own_section_counts() -> None:
    text = "# Roadmap\n\n### Phase 1: A\n`f(1) -> 2`\n\n### Phase 2: B\n`f(2) -> 3`\n\n## Notes\n`f(3) -> 4`\n"
    assert [e.arguments for e in in_roadmap(text, find_examples(text), make_brief(PhaseId("2")))] == [(2,)]
