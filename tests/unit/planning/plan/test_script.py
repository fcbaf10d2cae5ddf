"""Test scripts read without being run. covers: PLAN-03, T8 (layer P)"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.criterion import Criterion, Form
from autopilot.model.planning.plan import Task
from autopilot.planning.plan.script import script_flaws, script_path, unasserted


@pytest.mark.parametrize(
    "script",
    [
        'PASS=0; FAIL=0\nif test -f a; then echo "PASS: A"; ((PASS++)); else echo "FAIL: A"; ((FAIL++)); fi\n'
        'echo "RESULTS: $PASS passed, $FAIL failed"\n[ $FAIL -eq 0 ] && exit 0 || exit 1',
        'f=0\nif a; then echo "PASS: x"; else echo "FAIL: x"; f=1; fi\nexit $f',
        'f=0\na && echo "PASS: x" || { echo "FAIL: x"; f=1; }\n[ "$f" -eq 0 ]',
        'report() { if [ "$1" -eq 0 ]; then echo "PASS: $2"; else echo "FAIL: $2"; failed=1; fi; }\na; report $? x\n'
        'exit "$failed"',
        "python3 - <<'EOF' || exit 1\nprint('PASS: x') if x() else print('FAIL: x')\nEOF\necho done",
        'a || { echo "FAIL: x"; exit 1; }\necho "PASS: x"\nexit 0',
        'set -e\nfail() { echo "FAIL: x"; }\ntrap fail ERR\na\necho "PASS: x"',
        'if a; then echo "PASS: x"; exit 0; fi\necho "FAIL: x"\nexit 1',
    ],
)
def test_a_script_that_says_both_and_can_end_badly_is_fine(script: str) -> None:
    assert list(script_flaws(script)) == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("a\nexit $?", "prints no `PASS:` line"),
        ("PASS=1; FAIL=0\na\nexit $FAIL", "prints no `PASS:` line"),
        ("# PASS: x\na", "prints no `PASS:` line"),
        ('echo "PASS: x"', "cannot fail"),
        ('a\necho "PASS: x"\nexit 0', "cannot fail"),
        ('# FAIL: x\na; echo "PASS: x"', "cannot fail"),
        ('a || true\necho "PASS: x" # or exit 1', "cannot fail"),
        ('echo "PASS: x, or exit 1"\nexit 0', "cannot fail"),
        ('if a; then echo "PASS: x"; else echo "FAIL: x"; fi', "exits with 0 after"),
        ('if a; then echo "PASS: x"; else echo "FAIL: x"; fi\nexit 0', "exits with 0 after"),
        ('a && echo "PASS: x" || echo "FAIL: x"', "exits with 0 after"),
    ],
)
def test_a_script_whose_word_is_worth_nothing_is_found(script: str, words: str) -> None:
    (flaw,) = script_flaws(script)
    assert words in flaw.text and flaw.grave


def test_a_script_that_only_ends_badly_is_less_grave() -> None:
    (flaw,) = script_flaws('set -e\na\necho "PASS: x"')
    assert "no `FAIL:` line" in flaw.text and not flaw.grave


@pytest.mark.parametrize(
    ("script", "text", "asserted"),
    [
        ('check "The greeting is kind" x', "The greeting is kind", True),
        ('echo "PASS: the  GREETING is\tkind"', "The greeting is kind", True),
        ("report $? 'It'\"'\"'s kind'", "It's kind", True),
        ('echo "PASS: The greeting"', "The greeting is kind", False),
        ("# The greeting is kind\ntrue", "The greeting is kind", False),
        ('echo "PASS: ungreeting is kind"', "greeting is kind", False),
        ('echo "PASS: 挨拶は丁寧"', "挨拶は丁寧", True),
    ],
)
def test_a_criterion_is_asserted_when_its_words_are_said(script: str, text: str, asserted: bool) -> None:
    criterion = Criterion("c", text, Form.COMMAND, command="x")
    assert unasserted(script, [criterion]) == (() if asserted else (criterion,))


def test_a_criterion_without_words_is_asserted_by_its_command() -> None:
    criterion = Criterion("c", "`npm run x` succeeds", Form.COMMAND, command="npm run x")
    assert unasserted('echo "PASS: npm run x"', [criterion]) == ()


@pytest.mark.parametrize(
    ("plan", "script"),
    [
        (".planning/phases/02-pot/02-01-PLAN.md", ".planning/phases/02-pot/tests/task-1.sh"),
        (".planning/phases/2/plans/PLAN-01.md", ".planning/phases/2/tests/task-1.sh"),
    ],
)
def test_a_script_stands_in_the_folder_of_its_phase(plan: str, script: str) -> None:
    assert script_path(Task("1", "T", path=plan)) == script


@given(st.text(alphabet="PASFIL:echo xtfn'\"#\n;|&$(){}<>0 1\\"))
def test_any_script_is_read_without_a_traceback(script: str) -> None:
    assert len(list(script_flaws(script))) <= 1
    unasserted(script, [Criterion("c", script, Form.COMMAND)])
