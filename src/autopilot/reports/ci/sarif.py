"""SARIF 2.1.0: what code scanning of GitHub, and editors, read."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from autopilot import __version__
from autopilot.events.state import RunState
from autopilot.reports.ci.remarks import RULES, Remark, home_of, remarks_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"


def render_sarif(state: RunState) -> str:
    """Every result has a place, or code scanning drops it: without one of its own it is the roadmap."""
    rules = list(RULES)
    results = [_result(remark, rules.index(remark.rule), home_of(state)) for remark in remarks_of(state)]
    run = {
        "tool": {"driver": {"name": "Autopilot", "semanticVersion": __version__, "rules": [_rule(id) for id in rules]}},
        "automationDetails": {"id": f"autopilot/{state.run}"},
        "invocations": [_invocation(state)],
        "originalUriBaseIds": {ROOT: {"description": {"text": "the root of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(id: str) -> dict[str, Any]:
    return {"id": id, "shortDescription": {"text": RULES[id]}}


def _invocation(state: RunState) -> dict[str, Any]:
    facts: dict[str, Any] = {"executionSuccessful": state.session.exit_status == 0}
    if state.session.exit_status is not None:
        facts["exitCode"] = state.session.exit_status
        facts["exitCodeDescription"] = state.session.stop_reason
    return facts


def _result(remark: Remark, number: int, roadmap: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(remark.path or roadmap), "uriBaseId": ROOT}}
    if remark.line or not remark.path:
        place["region"] = {"startLine": remark.line or 1}
    return {
        "ruleId": remark.rule,
        "ruleIndex": number,
        "level": remark.level.value,
        "message": {"text": f"[phase {remark.phase}] {remark.text}" if remark.phase else remark.text},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"autopilot/v1": remark.fingerprint},
    }
