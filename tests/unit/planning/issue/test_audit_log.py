"""The audit log of an issue: rows that come back as they were written, and a chain that shows what was touched."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.errors import RecordBroken
from autopilot.model.issue.issue import AuditRow, HaltRow, RedRow, SeedFinding
from autopilot.planning.issue.audit_log import (
    LONGEST_DIGEST,
    append_halt,
    append_red,
    append_row,
    broken_at,
    count_lines,
    findings_digest,
    head_of,
    parse_log,
    parse_pin,
    parse_red,
    pin_text,
    stamp,
)

# covers: AL-4, AL-5, ISSUE-AUDIT, ISSUE-CHAIN
THEN = "2025-01-01T00:00:00Z"
SHELL = '{"iteration":1,"step":"atdd","verdict":"FAIL","fingerprint":"abc","timestamp":"2025-01-01T00:00:00Z"}\n'
texts = st.text(st.characters(codec="utf-8"), max_size=30)
marks = st.from_regex(r"[A-Za-z0-9._:-]{1,20}", fullmatch=True)
verdicts = st.sampled_from(("PASS", "FAIL"))
histories = st.lists(st.tuples(st.integers(0, 99), texts, verdicts, marks), min_size=1, max_size=6)


def written(history: list[tuple[int, str, str, str]], text: str = "") -> str:
    for row in history:
        text = append_row(text, *row, THEN)
    return text


def digest(line: str) -> str:
    return sha256(line.encode()).hexdigest()


@given(histories)
def test_what_is_appended_comes_back_and_nothing_before_it_changes(history: list[tuple[int, str, str, str]]) -> None:
    text = ""
    for row in history:
        text, before = append_row(text, *row, THEN), text
        assert text.startswith(before) and text.endswith("\n")
        assert parse_log(text)[-1] == AuditRow(*row, THEN, head_of(before))
    assert (count_lines(text), broken_at(text)) == (len(history), None)


@given(histories, st.data())
def test_any_edit_of_a_line_breaks_the_chain_or_moves_its_head(
    history: list[tuple[int, str, str, str]], data: st.DataObject
) -> None:
    text = written(history)
    place = data.draw(st.integers(0, len(text) - 2))
    letter = data.draw(st.characters(codec="utf-8").filter(lambda found: found != text[place]))
    edited = text[:place] + letter + text[place + 1 :]
    assert broken_at(edited) is not None or head_of(edited) != head_of(text)
    if place <= text.rstrip("\n").rfind("\n"):
        is_counted = count_lines(edited) != count_lines(text)  # two rows run together may pass for a line cut off
        assert broken_at(edited) is not None or is_counted, "another line is bound to this one"


def test_two_rows_run_together_are_missed_by_their_number() -> None:
    text = written([(1, "red", "PASS", "a"), (2, "green", "PASS", "b")])
    joined = text.replace("}\n{", "} {", 1)
    assert (broken_at(joined), count_lines(joined)) == (None, 1)


@given(histories, st.data())
def test_lines_that_are_gone_are_missed_by_their_number(
    history: list[tuple[int, str, str, str]], data: st.DataObject
) -> None:
    text = written(history)
    lines = [f"{line}\n" for line in text.split("\n")[:-1]]
    kept = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)).filter(lambda k: not all(k)))
    left = "".join(line for line, stays in zip(lines, kept, strict=True) if stays)
    assert count_lines(left) < count_lines(text)
    is_rollback = kept == sorted(kept, reverse=True)
    assert broken_at(left) is None if is_rollback else broken_at(left) is not None


def test_lines_of_shell_workflows_are_a_baseline_that_ours_are_bound_to() -> None:
    text = append_row(SHELL * 2, 3, "atdd", "PASS", "def", THEN)
    assert [row.prev for row in parse_log(text)] == ["", "", digest(SHELL.strip())]
    assert (count_lines(text), broken_at(text)) == (3, None)
    assert broken_at(text.replace("abc", "abd")) == 3
    assert broken_at(text + SHELL) == 4, "nobody else adds to a chain"


def test_a_line_that_was_cut_off_spoils_only_itself() -> None:
    text = append_row('{"iteration":1,"st', 2, "atdd", "FAIL", "abc", THEN)
    assert (count_lines(text), broken_at(text)) == (2, None)
    with pytest.raises(RecordBroken, match="line 1 "):
        parse_log(text)


@pytest.mark.parametrize(
    "line",
    [
        "nothing",
        "[]",
        " ",
        "{}",
        "{" * 5000,
        "\udcff",
        '{"iteration":1,"step":"a","verdict":"FAIL"}',  # a failure without fingerprint
        '{"iteration":1,"step":"a","verdict":"FAIL","fingerprint":""}',
        '{"iteration":1,"step":"a","verdict":"FAIL","fingerprint":"a b"}',
        '{"iteration":1,"step":"a","verdict":"fail","fingerprint":""}',
        '{"iteration":-1,"step":"a","verdict":"FAIL","fingerprint":"a"}',
        '{"iteration":"1","step":"a","verdict":"FAIL","fingerprint":"a"}',
        '{"outcome":"DONE","step":"a","reason":"stuck"}',
        '{"outcome":"HALT","step":"a"}',
    ],
)
def test_a_line_that_is_no_row_is_said_by_its_number(line: str) -> None:
    with pytest.raises(RecordBroken, match=r"line 3 ") as caught:
        parse_log(f"{SHELL}\n{line}\n")
    assert caught.value.hint


def test_empty_lines_do_not_count_and_fields_of_others_are_passed_over() -> None:
    known = '{"iteration":1,"step":"a","verdict":"FAIL","fingerprint":"abc","model":"m"}'
    assert parse_log(f"\n{known}\n\n") == (AuditRow(1, "a", "FAIL", "abc", ""),)
    assert (count_lines(f"\n{known}\n\n"), count_lines(""), head_of("\n"), broken_at("")) == (1, 0, "", None)


def test_a_halt_says_its_findings_as_a_list_inside_the_row() -> None:
    findings = (SeedFinding("AC-2"), SeedFinding("red.jsonl", "no red", 1))
    text = append_halt(SHELL, "atdd", "stuck", findings_digest(findings), THEN)
    row = json.loads(text.splitlines()[-1])
    told = [{"priority": 0, "evidence_ref": "AC-2"}, {"priority": 1, "evidence_ref": "red.jsonl", "detail": "no red"}]
    assert (row["outcome"], row["findings_digest"]) == ("HALT", told)
    compact = json.dumps(told, separators=(",", ":"))
    assert parse_log(text)[-1] == HaltRow("HALT", "atdd", "stuck", compact, THEN, digest(SHELL.strip()))


@pytest.mark.parametrize("digest", ["words", "[1]", '{"a":1}', '["\n', "[" * 2000])
def test_a_digest_that_is_no_list_of_findings_stays_text(digest: str) -> None:
    row = parse_log(append_halt("", "atdd", "stuck", digest, THEN))[-1]
    assert isinstance(row, HaltRow) and row.findings_digest == digest


def test_a_digest_of_very_many_findings_says_the_first_and_what_the_whole_was() -> None:
    findings = [SeedFinding("x" * 500, "y" * 5000) for _ in range(40)]
    told = findings_digest(findings)
    assert len(told) <= LONGEST_DIGEST
    *begun, last = json.loads(told)
    assert (len(begun), last["detail"]) == (10, "the first 10 of 40 findings, cut short")
    assert last["evidence_ref"] != json.loads(findings_digest(findings[1:]))[-1]["evidence_ref"]
    assert findings_digest(()) == "[]"


reds = st.builds(
    RedRow,
    st.just("red"),
    marks,
    st.one_of(st.just(""), marks),
    texts,
    st.just(THEN),
    st.one_of(st.none(), st.integers(0, 255)),
    st.lists(texts, max_size=3).map(tuple),
    texts,
)


@given(st.lists(reds, max_size=4))
def test_red_rows_are_read_as_they_were_written(given_rows: list[RedRow]) -> None:
    text = ""
    for row in given_rows:
        text = append_red(text, row)
    assert parse_red(text) == tuple(given_rows)


def test_a_red_row_has_the_fields_of_the_sources_and_more_only_where_there_is_more() -> None:
    text = append_red("", RedRow("red", "abc", "def", "tests/test_a.py", THEN))
    assert list(json.loads(text)) == ["step", "commit", "impl_sha", "at_file", "timestamp"]
    for line in ("{}", "x", '{"step":"green","commit":"a","at_file":"t"}', '{"step":"red","commit":"","at_file":"t"}'):
        with pytest.raises(RecordBroken):
            parse_red(line)


@pytest.mark.parametrize(
    ("text", "pinned"), [("abc\n", "abc"), ("abc", "abc"), ("", None), ("\n", None), ("a b\n", None), ("a\nb\n", None)]
)
def test_a_pin_is_one_fingerprint_and_nothing_else(text: str, pinned: str | None) -> None:
    assert parse_pin(text) == pinned
    assert pinned is None or parse_pin(pin_text(pinned)) == pinned


def test_times_are_told_in_one_zone() -> None:
    assert stamp(datetime(2025, 1, 1, 1, 30, tzinfo=timezone(timedelta(hours=1)))) == "2025-01-01T00:30:00Z"


def test_no_digest_is_an_empty_list() -> None:
    assert json.loads(append_halt("", "atdd", "stuck", "", THEN))["findings_digest"] == []
