"""Data files.

covers: TYPE
"""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.inspection.types.data_files import MAX_FINDINGS, parse_data, schema_of
from autopilot.model.evidence.checked import Checked


@pytest.mark.parametrize(
    ("path", "text", "findings"),
    [
        ("a.json", '{"a": 1}', ()),
        ("a.json", '{\n"a" 1}', ("a.json:2: not valid JSON: Expecting ':' delimiter",)),
        ("a.json", " \n", ("a.json:2: empty",)),
        ("a.json", "[NaN]", ("a.json:1: not valid JSON: NaN is not a JSON value",)),
        ("a.json", "[" * 100_000, ("a.json:1: nested too deeply",)),
        ("a.json", "1" * 5000, ("a.json:1: a number has too many digits",)),
        ("a.jsonl", '{"a": 1}\n\n[2]\n', ()),
        ("a.jsonl", '{"a": 1}\n{"b"}\n', ("a.jsonl:2: not valid JSON: Expecting ':' delimiter",)),
        ("a.toml", 'a = 1\r\n[b]\r\nc = "x"\r\n', ()),
        ("a.toml", "a = 1\nb =\n", ("a.toml:2: not valid TOML: Invalid value",)),
        ("a.toml", 'a = 1\nb = "', ("a.toml:2: not valid TOML: Unterminated string",)),
        ("a.csv", "a,b\n1,2\n\n3,4\n", ()),
        (
            "a.csv",
            "a,b\n1,2,3\n4\n",
            ("a.csv:2: the row has 3 fields, the first one 2", "a.csv:3: the row has 1 field, the first one 2"),
        ),
        ("a.csv", 'a,b\n"x\ny",2\n3\n', ("a.csv:4: the row has 1 field, the first one 2",)),
        ("a.csv", 'a,b\n"x" y,2\n', ("a.csv:2: not a valid table: ',' expected after '\"'",)),
        ("a.csv", "a;b\n1,5;2\n", ()),
        ("a.csv", "only\nwords, here\n", ()),
        ("a.tsv", "a\tb\n1,2\t3\n", ()),
    ],
)
def test_what_does_not_parse_is_told_with_its_line(path: str, text: str, findings: tuple[str, ...]) -> None:
    assert parse_data(path, text) == Checked(findings)


def test_formats_without_a_reader_are_unseen_not_right() -> None:
    assert parse_data("i18n/a.yaml", ": : :") == Checked(unseen=("i18n/a.yaml: yaml is not parsed",))
    assert parse_data("data/a.xml", "<") == Checked(unseen=("data/a.xml: xml is not parsed",))


def test_a_file_that_is_wrong_throughout_is_told_of_in_part() -> None:
    assert len(parse_data("a.jsonl", "{\n" * 500).findings) == MAX_FINDINGS


SCHEMA = json.dumps({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}})


def test_data_is_judged_by_the_schema_beside_it() -> None:
    tree = {"data/a.schema.json": SCHEMA}
    assert schema_of("data/a.json", '{"name": "x"}', tree.get) == Checked()
    assert schema_of("data/a.json", "{}", tree.get).findings == ('data/a.json:1: the document lacks "name"',)
    wrong = schema_of("data/a.json", '{\n\n"name": 1}', tree.get)
    assert wrong.findings == ("data/a.json:3: /name is not of type string",)
    assert schema_of("data/b.json", "{}", tree.get) == Checked()


def test_every_line_of_a_jsonl_file_is_judged() -> None:
    tree = {"a.schema.json": SCHEMA}
    assert schema_of("a.jsonl", '{"name": "x"}\n\n{"name": 2}\n', tree.get).findings == (
        "a.jsonl:3: /name is not of type string",
    )


def test_data_is_judged_by_the_local_schema_it_names() -> None:
    tree = {"schemas/thing.json": SCHEMA}
    named = '{"$schema": "../schemas/thing.json", "name": 1}'
    assert schema_of("data/a.json", named, tree.get).findings == ("data/a.json:1: /name is not of type string",)
    assert schema_of("data/a.json", named.replace("thing", "gone"), tree.get).findings == (
        "data/a.json:1: its schema ../schemas/gone.json does not exist",
    )


def test_the_line_of_an_item_deep_in_lists_is_found() -> None:
    schema = {"items": {"properties": {"tags": {"items": {"type": "string"}}}}}
    text = '[\n  {"tags": []},\n  {"x": [1, {"y": "]"}],\n   "tags": ["a",\n      2\n ]}\n]\n'
    assert schema_of("a.json", text, {"a.schema.json": json.dumps(schema)}.get).findings == (
        "a.json:5: /1/tags/1 is not of type string",
    )


def test_no_schema_is_fetched_and_none_outside_the_repository_is_read() -> None:
    asked: list[str] = []

    def read(path: str) -> str | None:
        asked.append(path)
        return None

    remote = schema_of("a.json", '{"$schema": "https://json-schema.org/draft/2020-12/schema"}', read)
    assert remote.findings == () and "is not fetched" in remote.unseen[0]
    assert schema_of("a.json", '{"$schema": "file:///etc/passwd"}', read).findings == ()
    assert schema_of("data/a.json", '{"$schema": "../../x.json"}', read).findings != ()
    assert schema_of("data/a.json", '{"$schema": "/etc/passwd"}', read).findings != ()
    assert asked == []


def test_a_schema_that_does_not_parse_is_told_and_one_not_understood_is_unseen() -> None:
    assert schema_of("a.json", "{}", {"a.schema.json": "{"}.get).findings == (
        "a.json:1: its schema a.schema.json does not parse",
    )
    assert schema_of("a.json", "{}", {"a.schema.json": '{"$ref": "x.json"}'}.get) == Checked(
        unseen=("a.schema.json: the reference x.json is not followed",)
    )


def test_a_schema_that_takes_long_does_not_take_long_for_every_line() -> None:
    steps = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n - 1}"}] * 2} for n in range(1, 25)}
    bomb = {"$defs": {"d0": {"type": "object"}, **steps}, "$ref": "#/$defs/d24"}
    checked = schema_of("a.jsonl", "1\n" * 5000, {"a.schema.json": json.dumps(bomb)}.get)
    assert checked == Checked(unseen=("a.schema.json: validation against the schema takes too long",))


def test_broken_data_and_schemas_themselves_are_not_judged_twice() -> None:
    assert schema_of("a.json", "{", {"a.schema.json": SCHEMA}.get) == Checked()
    assert schema_of("a.schema.json", "{}", {"a.schema.json": SCHEMA}.get) == Checked()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON, st.sampled_from([None, 2]))
def test_whatever_json_was_written_parses(value: object, indent: int | None) -> None:
    assert parse_data("a.json", json.dumps(value, indent=indent)) == Checked()
    assert parse_data("a.jsonl", json.dumps(value) + "\n" + json.dumps(value)) == Checked()


class _Lines(list[str]):
    def write(self, text: str) -> None:
        self.append(text)


CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=6)


@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=5))
def test_whatever_table_was_written_parses(rows: list[tuple[str, str, str]]) -> None:
    lines = _Lines()
    csv.writer(lines, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([("a", "b", "c"), *rows])
    assert parse_data("a.csv", "".join(lines)) == Checked()


@given(st.sampled_from(["a.json", "a.jsonl", "a.toml", "a.csv", "a.tsv", "a.yaml", "a"]), st.text(max_size=60))
def test_any_text_is_parsed_or_told_of(path: str, text: str) -> None:
    for finding in parse_data(path, text).findings:
        assert finding.startswith(f"{path}:")
        assert 1 <= int(finding.split(":")[1]) <= text.count("\n") + 1
