"""JSON in documents.

covers: TYPE
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.inspection.types.json_blocks import contracts, json_blocks
from autopilot.inspection.types.loose_json import parse_loose
from autopilot.text.fences import blocks


def fenced(text: str, language: str = "json") -> str:
    return f"# Title\n\n```{language}\n{text}\n```\n"


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '{"a": 1} // said',
        '{\n  // first\n  "a": 1, /* second */\n  "b": 2\n}',
        '{"pass": true|false}',
        '{"pass": true | false | "n/a"}',
        '{"n": N, "done": N/M, "score": 0.0-10.0}',
        '{"phase": {phase_id}, "sha": <sha>}',
        '{"a": {{ value }}, "b": ${VALUE}}',
        '{"a": 1, ...}',
        '{"a": [...], "b": {...}}',
        '{"a": [1, ..., 9], "b": ...}',
        '[..., {"a": 1}]',
        '{"a": 1,\n  …\n}',
        '{"type": string, "count": integer}',
        '"results": {\n  "a": 1\n}',
        '"a": 1,\n"b": 2',
        '{"a": 1}\n{"b": 2}',
        "// only a remark",
    ],
)
def test_json_as_documents_write_it_parses(text: str) -> None:
    assert json_blocks("a.md", fenced(text)) == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1\n "b": 2}', 5),
        ("{'a': 1}", 4),
        ('{"a": tru}', 4),
        ('{"a": 1,}', 4),
        ('{"a": 1', 4),
        ('{"a" 1}', 4),
        ('{\n"a": {"b": 1\n}', 6),
        ('{\n// one\n"a": 1\n"b": N}', 7),
        ('{"a": "x}', 4),
    ],
)
def test_a_broken_block_is_found_where_it_breaks(text: str, line: int) -> None:
    (finding,) = json_blocks("a.md", fenced(text))
    assert finding.startswith(f"a.md:{line}: the json block does not parse: ")


def test_trailing_commas_are_right_in_jsonc_only() -> None:
    text = '{"a": [1, 2,],\n}'
    assert json_blocks("a.md", fenced(text, "jsonc")) == ()
    assert len(json_blocks("a.md", fenced(text))) == 1


def test_other_languages_are_none_of_our_business() -> None:
    assert json_blocks("a.md", fenced("{'a': 1}", "python") + fenced("{,}", "") + "{,}") == ()


def test_blocks_in_quotes_and_lists_and_in_longer_fences_are_seen() -> None:
    assert [b.text for b in blocks('> ```json\n> {"a": 1}\n> ```\n')] == ['{"a": 1}']
    assert [b.language for b in blocks("- ```json\n  1\n  ```\n")] == ["json"]
    nested = "````md\n# Not a heading\n```json\n{,}\n```\n````\n## Real\n```json\n1\n```\n"
    seen = [(b.language, b.text, b.heading) for b in blocks(nested) if b.language == "json"]
    assert seen == [("json", "{,}", ""), ("json", "1", "Real")]


def test_a_fence_that_was_never_closed_hides_nothing() -> None:
    (finding,) = json_blocks("a.md", "```python\nx = 1\n\n## Next\n\n```json\n{,}\n```\n")
    assert finding.startswith("a.md:7: ")


RETURN = '{"status": "ok", "score": 1, "issues": [], "sha": null}'
WITHOUT = '{"status": "ok", "score": 1, "issues": []}'


def document(heading: str, block: str) -> str:
    return f"## {heading}\n\n```json\n{block}\n```\n"


def test_two_documents_that_give_one_contract_two_shapes_are_told() -> None:
    found = contracts({"a.md": document("2.1 Return Contract", RETURN), "b.md": document("Return contract", WITHOUT)})
    assert found == ('a.md:4: "return contract" has sha, which b.md lacks',)
    other = contracts({"b.md": document("`phase.json`", RETURN), "a.md": document("The `phase.json`", WITHOUT)})
    assert other == ()
    back = contracts({"b.md": document("`phase.json`", RETURN), "a.md": document("3. `phase.json`", WITHOUT)})
    assert back == ('a.md:4: "phase.json" lacks sha, which b.md has',)


@pytest.mark.parametrize(
    ("heading", "one", "other"),
    [
        ("Return schema", RETURN, RETURN),
        ("Example", RETURN, WITHOUT),
        ("Schema", RETURN, WITHOUT),
        ("Return schema", RETURN, '{"status": "ok", ...}'),
        ("Return schema", RETURN, '{"x": 1, "y": 2, "z": 3, "status": ""}'),
        ("Return schema", '{"a": 1, "b": 1}', '{"a": 1}'),
        ("Return schema", RETURN, "[1]"),
        ("Return schema", RETURN, "{,}"),
    ],
)
def test_what_merely_shares_a_title_is_no_contract(heading: str, one: str, other: str) -> None:
    assert contracts({"a.md": document(heading, one), "b.md": document(heading, other)}) == ()


def test_a_name_used_twice_in_one_document_means_a_family() -> None:
    twice = document("Return schema", RETURN) + document("Return schema", WITHOUT)
    assert contracts({"a.md": twice, "b.md": document("Return schema", WITHOUT)}) == ()


def test_schemas_are_the_same_by_id_wherever_they_stand() -> None:
    def schema(*names: str) -> str:
        return json.dumps({"$id": "phase", "type": "object", "properties": dict.fromkeys(names, True)})

    found = contracts({"a.md": document("One", schema("a", "b", "c")), "b.md": document("Two", schema("a", "b", "d"))})
    assert found == ('a.md:4: "phase" has c, which b.md lacks and lacks d, which b.md has',)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES, st.sampled_from([None, 0, 2]))
def test_whatever_is_json_is_read_as_what_it_is(value: object, indent: int | None) -> None:
    read = parse_loose(json.dumps(value, indent=indent))
    assert read.values == (value,) and not read.error and not read.elided


@given(VALUES)
def test_comments_change_nothing(value: object) -> None:
    text = json.dumps(value, indent=1)
    assert parse_loose("// before\n" + text.replace("\n", " // a remark\n") + " /* after */").values == (value,)


@given(st.text(st.sampled_from('{}[]:,|"\\/*.…<>$aN1- \n'), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    read = parse_loose(text)
    assert bool(read.error) or read.elided or read.values
    assert 1 <= read.line <= text.count("\n") + 1


def test_hostile_blocks_are_read_like_any_other() -> None:
    for hostile in ("/*" * 30_000, '\\"' * 30_000, "...\n" * 20_000, "[" * 90_000, '{"a":' * 15_000, "<" * 80_000):
        json_blocks("a.md", fenced(hostile))
    assert "digits" in json_blocks("a.md", fenced("1" * 5000))[0]
    assert "deeply" in json_blocks("a.md", fenced("[" * 90_000))[0]


@given(st.text(st.sampled_from("`~> \n#ajson-"), max_size=120))
def test_every_block_stands_where_it_says(text: str) -> None:
    lines = text.split("\n")
    for block in blocks(text):
        first = block.text.split("\n")[0]
        assert first in lines[block.line - 1]
