"""Presenting and handing off: a branch, a message, and whoever is told; a forge that fails loses nothing.

covers: AL-1, AL-5, ISSUE-DESIGNGATE, ISSUE-HANDOFF, ISSUE-PREAPPROVED
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.adapters.forge.memory import RememberedForge
from autopilot.events.issue.happened import HandedOff, Presented
from autopilot.events.pieces import OpenStep, StepState
from autopilot.events.state import RunState
from autopilot.model.git import Change
from autopilot.model.issue.issue import DESIGN, IMPL, IssueOptions, SeedFinding
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.ports.forge import StatusState
from autopilot.steps.context import Result
from tests.unit import issue_runs as runs
from tests.unit.making import START, alter
from tests.unit.steps.asking.test_asking import perform
from tests.unit.steps.world import Tree, World

TESTS_TEXT = b"- [ ] [draft] AT-001: commas\n- [ ] [regression] AT-003: as before\n- [ ] [planned] AT-002: later\n"
FILES = {runs.TESTS: TESTS_TEXT, runs.PLAN: b"# Plan\n"}
URL = f"https://forge.example.org/pull/{runs.BRANCH}"
PATCH = f"--- a/{runs.PLAN}\n+++ b/{runs.PLAN}\n@@ -1 +1 @@\n-# Plan\n+# The plan\n"


class Vault(Tree):
    def __init__(self, *since: str) -> None:
        super().__init__(FILES)
        self._since = since  # what changed after it was judged
        self.compared: list[tuple[str, str]] = []
        self.commits: list[str] = []
        self.edits: dict[str, bytes | None] = {}

    def patch(self, old: str, new: str, limit: int = 0) -> str:
        self.compared.append((old, new))
        return PATCH

    def diff_stat(self, old: str, new: str) -> str:
        return "1 file changed"

    def changes(self, old: str, new: str) -> tuple[Change, ...]:
        paths = self._since if old == "i" * 40 else (runs.PLAN,)
        return tuple(Change(path, "M", "100644", "100644") for path in paths)

    def edit_tree(self, base: str, edits: Mapping[str, bytes | None]) -> str:
        self.edits = dict(edits)
        return "tree"

    def commit(self, tree: str, parents: Sequence[str], message: str, *_: object) -> str:
        self.commits.append(message)
        return "m" * 40


class Offering:
    path = Path("/home/you/project")

    def __init__(self) -> None:
        self.offered: list[tuple[str, str]] = []
        self.documents: dict[str, bytes] = {}

    def offer(self, name: str, commit: str) -> str:
        self.offered.append((name, commit))
        return f"autopilot/{name}"

    def write_documents(self, files: Mapping[str, bytes]) -> tuple[str, ...]:
        self.documents |= files
        return ()


class Scene:
    """One step of an issue, taken as often as it is asked for."""

    def __init__(
        self, folder: Path, *events: Any, forge: RememberedForge | None = None, since: Sequence[str] = ()
    ) -> None:
        self.forge, self.vault, self.checkout = forge or RememberedForge(), Vault(*since), Offering()
        self.world = World(folder)
        ports = replace(self.world.ports, forge=self.forge, vault=self.vault, checkout=self.checkout)
        self.world.ports = ports
        self.state = runs.state_of(*events)

    def take(self, step: Step, name: PhaseId, number: int = 1, **more: Any) -> Result:
        issue = self.state.issue
        assert issue is not None
        begun = {step.value: StepState(started_at=START)}
        phase = replace(self.state.phase(name), steps=begun, open=OpenStep(step, 1, number, ""))
        state: RunState = replace(self.state.with_phase(phase), issue=alter(issue, **more))
        return perform(self.world.context(state, phase, step))[1]


def presented(result: Result) -> Presented:
    [event] = result.events
    assert isinstance(event, Presented)
    return event


def handed(result: Result) -> HandedOff:
    [event] = result.events
    assert isinstance(event, HandedOff)
    return event


def test_the_line_is_published_and_the_message_lies_beside_it(tmp_path: Path) -> None:
    scene = Scene(tmp_path, *runs.DESIGNED)
    event = presented(scene.take(Step.PRESENT, DESIGN))
    assert (event.number, event.branch, event.commit, event.url) == (1, runs.BRANCH, runs.TIP, URL)
    assert scene.checkout.offered == [("issue-24-csv", runs.TIP)]
    body = scene.checkout.documents[".autopilot/issues/024/presentation-1.md"]
    assert scene.world.ports.blobs.get(event.body) == body and b"Design of issue 24" in body
    assert scene.forge.branches == {runs.BRANCH: runs.TIP}
    base, title, text = scene.forge.drafts[URL]
    assert (base, title) == ("", "Export as CSV (#24)") and "## How to answer" in text
    assert scene.forge.comments == [], "the draft says it all the first time"
    waits = (runs.TIP, StatusState.PENDING, "autopilot/acceptance", "the design waits for your approval")
    assert scene.forge.statuses == [waits]


def test_a_later_presentation_shows_what_changed_since_the_one_before(tmp_path: Path) -> None:
    scene = Scene(tmp_path, *runs.SHOWN)
    rejected = (SeedFinding("plan: too large", about="plan"),)
    event = presented(scene.take(Step.PRESENT, DESIGN, rejected=rejected))
    assert event.number == 2 and scene.vault.compared == [(runs.TIP, runs.TIP)]
    [(url, text)] = scene.forge.comments
    assert url == URL and "+# The plan" in text and "### Finding 1 (plan)" in text
    assert ".autopilot/issues/024/presentation-2.md" in scene.checkout.documents


def test_after_a_crash_everything_is_done_again_but_the_comment(tmp_path: Path) -> None:
    scene = Scene(tmp_path, *runs.SHOWN)
    rejected = (SeedFinding("plan: too large", about="plan"),)
    first = scene.take(Step.PRESENT, DESIGN, rejected=rejected)
    again = scene.take(Step.PRESENT, DESIGN, number=2, rejected=rejected)
    assert again == first and len(scene.forge.comments) == 1


@pytest.mark.parametrize(
    ("step", "name", "events"), [(Step.PRESENT, DESIGN, runs.DESIGNED), (Step.HAND_OFF, IMPL, runs.CONVERGED)]
)
def test_a_forge_that_fails_is_a_warning_in_the_message(
    step: Step, name: PhaseId, events: tuple[Any, ...], tmp_path: Path
) -> None:
    scene = Scene(tmp_path, *events, forge=RememberedForge(problem="the network is down"))
    result = scene.take(step, name)
    assert result.status == "completed" and scene.checkout.offered
    [body] = scene.checkout.documents.values()
    assert b"Autopilot could not publish all of this on the forge: the network is down; it was asked to fail" in body


def test_the_hand_off_ticks_what_was_seen_green_and_moves_the_line_to_it(tmp_path: Path) -> None:
    scene = Scene(tmp_path, *runs.CONVERGED)
    event = handed(scene.take(Step.HAND_OFF, IMPL))
    assert scene.vault.commits == ["docs: acceptance tests are green (#24)"]
    told = scene.vault.edits[runs.TESTS]
    assert told is not None
    assert told.decode().splitlines() == [
        "- [x] [green] AT-001: commas",
        "- [ ] [regression] AT-003: as before",
        "- [ ] [planned] AT-002: later",
    ]
    assert event.commit == "m" * 40 and scene.checkout.offered == [("issue-24-csv", "m" * 40)]
    after = runs.state_of(*runs.CONVERGED, event)
    assert after.line.tip == event.commit and after.issue is not None and after.issue.ending.handed_off == event
    body = scene.checkout.documents[".autopilot/issues/024/hand-off.md"].decode()
    assert "1 file changed" in body and "Autopilot merged nothing." in body
    assert (event.labelled, scene.forge.labels) == (False, [])
    [(commit, state, _, evidence)] = scene.forge.statuses
    assert (commit, state) == (event.commit, StatusState.SUCCESS)
    assert "red" in evidence and "green" in evidence, "what the oracle observed"


@pytest.mark.parametrize(("problem", "labels"), [("", [(24, "merge-ready")]), ("no network", [])])
def test_in_hand_off_mode_alone_the_issue_is_labelled(
    problem: str, labels: list[tuple[int, str]], tmp_path: Path
) -> None:
    scene = Scene(tmp_path, *runs.CONVERGED, forge=RememberedForge(problem=problem))
    event = handed(scene.take(Step.HAND_OFF, IMPL, options=IssueOptions(hand_off=True)))
    assert (scene.forge.labels, event.labelled) == (labels, bool(labels))


@pytest.mark.parametrize(
    ("since", "status"),
    [
        ((runs.TESTS, f"{runs.FOLDER}/red.jsonl"), "completed"),
        (("shop/csv.py",), "error"),
        (("docs/issues/x.md",), "error"),
    ],
)
def test_what_was_never_judged_is_not_handed_off(since: tuple[str, ...], status: str, tmp_path: Path) -> None:
    scene = Scene(tmp_path, *runs.CONVERGED, since=since)
    result = scene.take(Step.HAND_OFF, IMPL)
    assert result.status == status and bool(result.events) is (status == "completed")
    assert (since[0] in result.detail and not scene.checkout.offered) is (status == "error")


def test_where_nothing_was_judged_nothing_is_handed_off(tmp_path: Path) -> None:
    result = Scene(tmp_path, *runs.IN_IMPL).take(Step.HAND_OFF, IMPL)
    assert (result.status, result.events) == ("error", ())
