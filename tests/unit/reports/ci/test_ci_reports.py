"""What CI systems read of a run: remarks with their places, and no foreign text that does anything."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.reports.ci.annotations import render_annotations
from autopilot.reports.ci.code_quality import render_code_quality
from autopilot.reports.ci.going_on import render_going_on
from autopilot.reports.ci.remarks import Level, find_place, remarks_of
from autopilot.reports.ci.sarif import render_sarif
from tests.unit.making import ONE, alter, make_state, make_verdict
from tests.unit.reports.ending_states import broken_state, closed_state, done_phase

# covers: CI-REPORTS

HOSTILE = (
    "::error file=x::boo",
    "a\n::set-output name=x::y",
    "50% done\r\nbye",
    "##[error]no",
    "\x1b]0;title\x07 x\x00y\ufffe",
    "</script>]]>",
    "x" * 9_000,
    "../../etc/passwd:3 and /etc/shadow:1",
    ".git/config:2",
)
OBJECTION = Objection(Layer.LOOK, "01-01.c1", "it sleeps", where="shelf/a.py:7", weight=Weight.FLAG)


def objected(*objections: Objection, **more: Any) -> PhaseState:
    return alter(done_phase(**more), objections=objections)


def sarif(state: RunState) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(render_sarif(state))
    return document


def test_what_did_not_hold_is_an_error_and_what_waits_a_warning() -> None:
    found = remarks_of(broken_state())
    assert [remark.level for remark in found] == sorted((r.level for r in found), key=list(Level).index)
    rules = {remark.rule: remark.level for remark in found}
    assert rules["phase-failed"] is Level.ERROR
    assert rules["criterion-not-proven"] is Level.ERROR
    assert rules["waits"] is Level.WARNING
    assert any("autopilot verdict 4 pass" in remark.text for remark in found)


def test_a_run_in_which_all_went_well_has_no_error() -> None:
    assert [remark for remark in remarks_of(make_state(done_phase())) if remark.level is Level.ERROR] == []


def test_an_objection_stands_at_its_line() -> None:
    (remark,) = (r for r in remarks_of(make_state(objected(OBJECTION))) if r.rule == "flag")
    assert (remark.path, remark.line, remark.level) == ("shelf/a.py", 7, Level.NOTE)
    refused = replace(OBJECTION, weight=Weight.REFUSE, where="shelf/b.py")
    phase = objected(refused, status=PhaseStatus.FAILED, failure="no")
    (remark,) = (r for r in remarks_of(make_state(phase)) if r.rule == "work-refused")
    assert (remark.path, remark.line, remark.level) == ("shelf/b.py", 0, Level.ERROR)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("tests/test_a.py:12: AssertionError", ("tests/test_a.py", 12)),
        ("see ./src/x.rs:3:9", ("src/x.rs", 3)),
        ("/etc/passwd:1", None),
        ("../up.py:1", None),
        ("a/../../b.py:1", None),
        (".git/hooks/x.sh:1", None),
        ("at 12:30 on port:80", None),
        ("https://example.org/a.py:8", None),
        ("a.py:0", None),
        ("word:7", None),
    ],
)
def test_a_place_is_one_of_the_repository(text: str, place: tuple[str, int] | None) -> None:
    assert find_place(text) == place


@pytest.mark.parametrize("state", [broken_state(), closed_state(), make_state(objected(OBJECTION)), RunState()])
def test_sarif_has_what_code_scanning_asks_for(state: RunState) -> None:
    document = sarif(state)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rule["shortDescription"]["text"] for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"] and result["level"] in ("error", "warning", "note")
        (place,) = result["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert uri and not uri.startswith("/") and ".." not in uri.split("/") and ":" not in uri
        assert place["physicalLocation"].get("region", {"startLine": 1})["startLine"] >= 1
        assert re.fullmatch("[0-9a-f]{64}", result["partialFingerprints"]["autopilot/v1"])


def test_sarif_says_how_the_run_ended() -> None:
    (invocation,) = sarif(make_state(done_phase(), exit_status=1, stop_reason="no"))["runs"][0]["invocations"]
    assert invocation == {"executionSuccessful": False, "exitCode": 1, "exitCodeDescription": "no"}
    assert sarif(make_state(done_phase(), exit_status=0))["runs"][0]["invocations"][0]["executionSuccessful"] is True


def test_a_fingerprint_outlives_a_line_that_moves() -> None:
    first, moved = (
        remarks_of(make_state(objected(replace(OBJECTION, where=f"shelf/a.py:{line}", description="it sleeps"))))[0]
        for line in (7, 9)
    )
    assert first.line != moved.line
    state = make_state(objected(OBJECTION, replace(OBJECTION, description="it waits")))
    issues = json.loads(render_code_quality(state))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) >= 2


def test_code_quality_has_what_gitlab_asks_for() -> None:
    for issue in json.loads(render_code_quality(broken_state())):
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["location"]["path"] and issue["location"]["lines"]["begin"] >= 1


@pytest.mark.parametrize("words", HOSTILE)
def test_no_words_write_a_command_of_their_own(words: str) -> None:
    phase = objected(
        replace(OBJECTION, description=words, where=words),
        verdicts=(make_verdict(Outcome.FAIL, "01-01.c1", words),),
        failure=words,
        status=PhaseStatus.FAILED,
    )
    state = replace(broken_state(), phases={ONE: replace(phase, brief=replace(phase.brief, name=words))})
    printed = render_annotations(state)
    for line in printed.splitlines():
        assert re.fullmatch(r"::(error|warning|notice) (?:[a-z]+=[^:,\r\n]*,?)*::[^\r\n]*", line)
        assert "passwd" not in line.split("::")[1] and "file=.git" not in line
        assert "\x1b" not in line and "\x00" not in line
    assert len(re.findall("^::error", printed, re.MULTILINE)) <= 11
    json.loads(render_sarif(state)), json.loads(render_code_quality(state))


def test_percent_signs_and_line_ends_are_escaped_once() -> None:
    phase = objected(replace(OBJECTION, description="100% of a: b, c"))
    (line,) = render_annotations(make_state(phase)).splitlines()
    assert line.endswith("::second look: 100%25 of a: b, c (shelf/a.py:7)")
    assert line.startswith("::notice file=shelf/a.py,line=7,title=Autopilot phase 1%3A flag::")


def test_more_than_github_shows_is_counted() -> None:
    many = tuple(replace(OBJECTION, description=f"it sleeps {n}") for n in range(25))
    lines = render_annotations(make_state(objected(*many))).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "::notice title=Autopilot::15 more of this kind are in the report"


def test_the_summary_gives_whole_commands_to_go_on_with() -> None:
    shown = render_going_on(replace(broken_state(), status=RunStatus.WAITING), "run.artefact")
    commands = shown.split("```")[1].splitlines()[1:]
    assert commands[0] == "autopilot log import run.artefact"
    assert "autopilot verdict 4 pass" in commands
    assert commands[-2] == "autopilot log export run.artefact"
    assert commands[-1].startswith("autopilot resume --ci --artefact run.artefact")
    assert render_going_on(closed_state()) == ""
