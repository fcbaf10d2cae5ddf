"""The criterion grammar. covers: CRIT, BEH, T8 (layer P)"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.criterion import Expectation, Form, Kind, Strength, Want
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.plan.expectation import judge_output, last_number, parse_expectation
from autopilot.text.shell import cannot_fail, normalise_command, only_looks, split_parts

COMMANDS = Commands(compile="tox -e types", test="python3 -m unittest")


@pytest.mark.parametrize(
    ("brackets", "expectation"),
    [
        ("", Expectation()),
        ("(expect EXIT:0)", Expectation(Want.EXIT, 0)),
        ("(expect EXIT:3)", Expectation(Want.EXIT, 3)),
        ("(returns 2)", Expectation(Want.EQUALS, 2)),
        ("(returns at least 2)", Expectation(Want.AT_LEAST, 2)),
        ("(returns at most 2).", Expectation(Want.AT_MOST, 2)),
        ("(expect >= 3)", Expectation(Want.AT_LEAST, 3)),
        ("(expect <= 3)", Expectation(Want.AT_MOST, 3)),
        ('(contains "a (b) c")', Expectation(Want.CONTAINS, text="a (b) c")),
    ],
)
def test_known_expectations_are_read(brackets: str, expectation: Expectation) -> None:
    criterion, complaints = parse_criterion(f"It works -- verified by: `run it` {brackets}", "1.c1", 4, COMMANDS)
    assert (criterion.text, criterion.command, criterion.expectation) == ("It works", "run it", expectation)
    assert (criterion.form, criterion.line, complaints) == (Form.COMMAND, 4, ())
    assert parse_expectation(str(expectation)) == expectation


@pytest.mark.parametrize(
    "brackets",
    ["(expect 0)", "(expect match)", "(looks fine)", "and `other`", "(returns)", '(contains "")', "(returns 1.5)"],
)
def test_an_unknown_expectation_is_a_finding_and_the_criterion_is_not_run(brackets: str) -> None:
    criterion, (complaint,) = parse_criterion(f"It works -- verified by: `run` {brackets}", "c", 7, COMMANDS, "P.md")
    assert (criterion.form, criterion.command) == (Form.PROSE, "")
    forms = '(expect EXIT: 1), (returns 0) or (contains "text")'
    assert str(complaint) == f"P.md:7: the expectation {brackets} is unknown, so nothing is run for it: write {forms}"


@pytest.mark.parametrize(
    "form", ["`npm test 2>&1; echo EXIT:$?`", '`npm test 2>&1; echo "EXIT:$?"`', "`npm test 2>&1 ; echo 'EXIT:$?'`"]
)
def test_the_echo_of_the_exit_status_is_stripped(form: str) -> None:
    criterion, _ = parse_criterion(f"x -- verified by: {form} (expect EXIT:0)", "c", 1, COMMANDS)
    assert criterion.command == "npm test 2>&1"
    assert cannot_fail(form.strip("`")) == ""


@pytest.mark.parametrize("dash", ["--", "—", "–", "-", ""])
def test_any_dash_may_stand_before_verified_by(dash: str) -> None:
    criterion, _ = parse_criterion(f"It works {dash} Verified by: `a`", "c", 1, COMMANDS)
    assert (criterion.text, criterion.command) == ("It works", "a")


@pytest.mark.parametrize(
    "words",
    ["`read A.tsx:onClick and trace to shell.open call`", "read A.tsx:onClick and trace through setState to save"],
)
def test_a_trace_is_known_by_its_form_and_never_a_command(words: str) -> None:
    criterion, complaints = parse_criterion(f"Click opens -- verified by: {words}", "c", 1, COMMANDS)
    assert criterion.form is Form.TRACE and not complaints


def test_prose_stays_prose_and_a_command_out_of_backticks_is_said() -> None:
    assert parse_criterion("It is `good`", "c", 1, COMMANDS)[0].form is Form.PROSE
    criterion, complaints = parse_criterion("x -- verified by: grep a b", "c", 1, COMMANDS)
    assert criterion.form is Form.PROSE and "not in backticks" in complaints[0].text


@pytest.mark.parametrize("command", ["``", "` `", "", "``````", "`` `` ``", "`` (exit 0)", '`` `` (contains "x")'])
def test_an_empty_command_is_called_missing(command: str) -> None:
    _, (complaint,) = parse_criterion(f"x -- verified by: {command}", "c", 1, COMMANDS)
    assert complaint.text == "there is no command after `verified by:`, so nothing is run for it"


@pytest.mark.parametrize("command", ["`pytest -q", "``pytest -q", "`` pytest` -q"])
def test_a_command_whose_backticks_stay_open_is_called_so(command: str) -> None:
    _, (complaint,) = parse_criterion(f"x -- verified by: {command}", "c", 1, COMMANDS)
    assert "are not closed" in complaint.text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A -- verified by: `pytest tests/test_new.py`", Kind.NEW),
        ("A -- verified by: `python3 -m unittest`", Kind.KEEP),
        ('A -- verified by: `cargo test` (contains "test result: ok")', Kind.KEEP),
        ('A -- verified by: `cargo test` (contains "batches_with_a_rest ... ok")', Kind.NEW),
        ('A -- verified by: `go test ./...` (contains "--- PASS: TestBatches")', Kind.NEW),
        ("A -- verified by: `tox -e types 2>&1; echo EXIT:$?`", Kind.KEEP),
        ("A -- verified by: `cd web && npx tsc --noEmit 2>&1 | tail -5`", Kind.KEEP),
        ("The project compiles -- verified by: `x`", Kind.KEEP),
        ("Everything that was there still works. All tests pass. -- verified by: `x`", Kind.KEEP),
        ("`valid(at)` tells whether it still holds -- verified by: `x`", Kind.NEW),
        ("`send()` returns a ticket; a ticket still works tomorrow -- verified by: `x`", Kind.NEW),
        ("All tests pass -- verified by: `x`", Kind.KEEP),
        ("Lint passes with no errors -- verified by: `x`", Kind.KEEP),
        ("Old links still work -- verified by: `x`", Kind.KEEP),
        ("[new] All tests pass -- verified by: `x`", Kind.NEW),
        ("[keep] B -- verified by: `x`", Kind.KEEP),
        ("[already] B -- verified by: `x`", Kind.ALREADY),
    ],
)
def test_the_kind_follows_mark_command_and_words(text: str, kind: Kind) -> None:
    criterion, _ = parse_criterion(text, "c", 1, COMMANDS)
    assert criterion.kind is kind and not criterion.text.startswith("[")


@pytest.mark.parametrize(
    ("command", "looks"),
    [
        ("grep -c 'a|b' f", True),
        ("test -f a && grep -q b a", True),
        ("! grep -r TODO src | wc -l", True),
        ("[ -d x ]", True),
        ("ls a b", True),
        ("cat f | /bin/grep x | head -1", True),
        ("pytest -q | grep passed", False),
        ("python3 -c 'import x'", False),
        ("", False),
    ],
)
def test_grep_alone_is_weak_evidence(command: str, looks: bool) -> None:
    assert only_looks(command) is looks
    if command:
        strength = parse_criterion(f"x -- verified by: `{command}`", "c", 1, COMMANDS)[0].strength
        assert strength is (Strength.GREP if looks else Strength.COMMAND)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "  ",
        "# only words",
        ":",
        "true",
        "echo PASS",
        "a || true",
        "a || :",
        "a || echo no",
        "a && b || echo no",
        "a; true",
        "a; echo done",
        "a\necho done",
        "a &",
        "a; exit 0",
        "(a || true)",
        "bash -c 'a || true'",
        "echo a && printf b",
        "a || exit 0",
        "{ a; } || true",
        "a || true # why",
        "a; :",
        "if grep -q x f; then echo yes; else echo no; fi",
        "if a\nthen\n  echo yes\nfi",
        "if a; then echo x; elif b; then true; else exit 0; fi",
        "[ 1 -eq 1 ]",
        'test "a" = "a"',
        "test -n word",
        "sleep 1",
        "echo 'exit 1'; true",
        "grep exit f || true",
        "python3 - <<'EOF'\nexit 1\nEOF\ntrue",
        "a & wait",  # without a process to wait for, it says 0
        "a & disown",
        "a || /bin/true",
        "a || command true",
        "a || return 0",
        "a; exec true",
        "a; ! false",
        "a; [ $? -ge 0 ]",
        'a; test "$?" -lt 256',
        "a; test -z ''",
        "true || a",
        "echo go || a || b",
        "trap 'exit 0' EXIT; a",
        'trap "exit 0" ERR\nset -e\na',
        "set -e; set +e; a; echo done",
        "set -e; set +o errexit; a; true",
        "eval 'a || true'",
        "bash -e -c 'a || true'",
        "timeout 60 sh -c 'a || true'",
        "env A=1 /bin/bash -c 'a; true'",
        "echo $(a)",
        "a; echo `b`",
        "export OUT=$(a)",
    ],
)
def test_commands_that_cannot_fail_are_found(command: str) -> None:
    assert cannot_fail(command)


@pytest.mark.parametrize(
    "command",
    [
        "a",
        "a && echo ok",
        "a | grep x",
        "grep '|| true' f",
        'grep "a; true" f',
        "a 2>&1",
        "a; echo EXIT:$?",
        "a &>/dev/null",
        "set -e; a; echo ok",
        "test $(a || true) = 1",
        "a || exit 1",
        "! true_thing",
        "a & wait $!",
        "exit 3",
        "set -o errexit; a; echo ok",
        "cd x; set -e; a; echo ok",
        "set -u -e; a; true",
        "set +e; set -e; a; true",
        "trap 'rm -f x' EXIT; a",
        "true && a",
        "a || test -z $X",
        "OUT=$(a)",
        "eval 'a'",
        "timeout 60 bash -c 'a'",
        "[ $? -eq 0 ]",
        "echo $(false) | grep x",
        "python3 - <<'EOF'\nimport x\nprint(1) or True; true\nEOF",
        "a && true",
        "sh -c 'a && b'",
        "a >| f",
        "grep -q a f # note; true",
        "a || exit 1; echo ok",
        "if ! a; then exit 1; fi; echo ok",
        "a || { echo bad; exit 1; }; echo ok",
        "if a; then echo yes; else false; fi",
        "if a; then b; fi",
        "test 1 = 2",
        "test -f a",
        "[ $FAIL -eq 0 ]",
        'a; exit "$?"',
        "cat <<< word; a",
    ],
)
def test_commands_that_can_fail_are_left_alone(command: str) -> None:
    assert cannot_fail(command) == ""


@pytest.mark.parametrize(
    ("command", "run"),
    [
        ('a && echo "PASS" || echo "FAIL"', 'a && echo "PASS"'),
        ("a | grep -q x && echo ok || echo missing", "a | grep -q x && echo ok"),
        ('test -f x || echo "FAIL: no x"', "test -f x"),
        ('grep -r bad src || echo "clean"', 'grep -r bad src || echo "clean"'),
        ("grep -q bad f && echo FOUND || echo clean", "grep -q bad f && echo FOUND || echo clean"),
        ("grep -q bad f && echo FAIL || echo PASS", "grep -q bad f && echo FAIL || echo PASS"),
        ("a | head || echo 'No errors'", "a | head || echo 'No errors'"),
        ("a || b", "a || b"),
    ],
)
def test_a_printed_verdict_gives_way_to_the_exit_status_where_its_words_leave_no_doubt(command: str, run: str) -> None:
    assert parse_criterion(f"x -- verified by: `{command}`", "c", 1, COMMANDS)[0].command == run
    judged = parse_criterion(f'x -- verified by: `{command}` (contains "FAIL")', "c", 1, COMMANDS)[0]
    assert judged.command == command, "where the output is judged, all of it is printed"


def test_operators_in_quotes_and_groups_do_not_cut() -> None:
    parts = [(part.before, part.text) for part in split_parts("a 'x;y' && (b; c) | d || \"e&&f\"")]
    assert parts == [("", "a 'x;y'"), ("&&", "(b; c)"), ("|", "d"), ("||", '"e&&f"')]


@pytest.mark.parametrize(
    ("expectation", "code", "output", "holds"),
    [
        (Expectation(), 0, "", True),
        (Expectation(), 1, "0", False),
        (Expectation(Want.EXIT, 3), 3, "", True),
        (Expectation(Want.EQUALS, 0), 1, "0\n", True),
        (Expectation(Want.EQUALS, 0), 2, "grep: f: No such file\n0\n", False),
        (Expectation(Want.EQUALS, 0), 0, "none\n", False),
        (Expectation(Want.AT_LEAST, 2), 0, "3 lines\n 7 \nend", True),
        (Expectation(Want.AT_LEAST, 8), 0, "7", False),
        (Expectation(Want.AT_MOST, 2), 0, "1\n3\n", False),
        (Expectation(Want.AT_MOST, 2), 0, "3\n2\r\n", True),
        (Expectation(Want.CONTAINS, text="usage"), 2, "usage: x", True),
        (Expectation(Want.CONTAINS, text="usage"), 0, "", False),
        (Expectation(Want.CONTAINS, text="found"), 127, "x: not found", False),
    ],
)
def test_the_expectation_decides_over_the_exit_status(
    expectation: Expectation, code: int, output: str, holds: bool
) -> None:
    assert judge_output(expectation, code, output) is holds


def test_the_number_is_the_last_line_that_is_only_a_number() -> None:
    assert last_number("1\n2 of 3\n-4\nx") == -4
    assert last_number("none") is None


@given(st.text(alphabet="ab '\"`()[]{}|&;<>#\\\n$:-EXITverified by returns 0"))
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    parse_criterion(text, "c", 1, COMMANDS)
    parse_criterion(f"x -- verified by: `{text}` ({text})", "c", 1, COMMANDS)
    assert isinstance(cannot_fail(text), str)
    assert normalise_command(normalise_command(text)) == normalise_command(text) or "EXIT" in text


@given(st.text(), st.integers(0, 255))
def test_any_output_is_judged(output: str, code: int) -> None:
    for want in Want:
        assert judge_output(Expectation(want, 1, "1"), code, output) in (True, False)
