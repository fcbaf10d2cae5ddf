"""The scripted agent keeps to its script: real files, real git, and the endings that the script names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.agents.known import KnownAgents, Roster
from autopilot.model.agent import AgentReply, Caps, Ending, Role, Usage
from autopilot.model.assessment import Divergence, JudgeFindings
from autopilot.model.claim import ExecutorClaim
from autopilot.model.errors import Unavailable, UsageError
from autopilot.ports.blobs import Blobs
from autopilot.ports.rating import RatingReply, read_rating
from autopilot.ports.reply import REPLIES, Problem, read_reply
from autopilot.ports.transcripts import Transcripts
from autopilot.simulation.scripted.agent import ScriptedAgent
from tests.contract.agents.harness import REPLY, Watched, World

# covers: R-BUDGET, T2, RATE

NO_CALL = "the script has no call for {}, and its default is fail"
GUIDE = Path(__file__).parents[3] / "docs" / "scripted-agent.md"
DIFF = """\
--- a/README.md
+++ b/README.md
@@ -1 +1,2 @@
 a project
+with a patch
"""

Play = Callable[..., AgentReply]


@pytest.fixture
def play(sandbox: Watched, transcripts: Transcripts, world: World, tmp_path: Path) -> Play:
    """Answer one executor call by a script."""

    def answer(script: dict[str, Any] | str, **changes: Any) -> AgentReply:
        path = tmp_path / "script.json"
        path.write_text(script if isinstance(script, str) else json.dumps(script))
        return ScriptedAgent(path, sandbox, transcripts).call(world.call(**changes))

    return answer


def doing(*actions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"calls": [{"role": "executor", "do": list(actions), "reply": dict(REPLY), **fields}]}


def test_files_are_written_patched_and_deleted(play: Play, world: World) -> None:
    (world.clone / "old.txt").write_text("old")
    reply = play(doing({"write": "a/b.txt", "text": "é\r\n"}, {"patch": DIFF}, {"delete": "old.txt"}))
    assert reply.ending is Ending.COMPLETED
    assert (world.clone / "a" / "b.txt").read_bytes() == "é\r\n".encode()
    assert (world.clone / "README.md").read_text() == "a project\nwith a patch\n"
    assert not (world.clone / "old.txt").exists()


def test_nothing_is_committed_by_itself(play: Play, world: World) -> None:
    before = world.git("rev-parse", "HEAD")
    play(doing({"write": "new.txt", "text": "x"}))
    assert world.git("rev-parse", "HEAD") == before
    assert world.git("status", "--porcelain").split() == ["??", "new.txt"]


def test_a_command_may_fail_and_its_exit_code_is_in_the_transcript(play: Play, blobs: Blobs) -> None:
    reply = play(doing({"run": "echo some words; exit 7"}, {"sleep": 0.01}))
    assert reply.ending is Ending.COMPLETED
    transcript = blobs.get(reply.transcript)
    assert b'"exit_code": 7' in transcript
    assert b"some words" in transcript


@pytest.mark.parametrize(
    ("action", "detail"),
    [
        ({"patch": DIFF.replace("a project", "another")}, "action 2 (patch): it does not apply"),
        ({"delete": "missing"}, "action 2 (delete): "),
        ({"git": ["no-such-command"]}, "action 2 (git): git no-such-command exited with status 1"),
        ({"write": "/proc/nothing", "text": ""}, "action 2 (write): "),
    ],
)
def test_an_action_that_cannot_be_done_ends_the_call_and_is_named(
    play: Play, world: World, action: dict[str, Any], detail: str
) -> None:
    reply = play(doing({"run": "true"}, action, {"write": "after", "text": ""}))
    assert reply.ending is Ending.CRASHED
    assert detail in reply.detail
    assert not (world.clone / "after").exists()


def test_a_path_that_leads_out_of_the_project_stops_at_the_sandbox(play: Play, world: World, tmp_path: Path) -> None:
    (tmp_path / "decoy").write_text("untouched")
    assert play(doing({"write": "../decoy", "text": "touched"})).ending is Ending.COMPLETED
    assert (tmp_path / "decoy").read_text() == "untouched"


@pytest.mark.parametrize("ending", [each for each in Ending if each is not Ending.COMPLETED])
def test_the_ending_of_the_script_is_the_ending_of_the_call(play: Play, world: World, ending: Ending) -> None:
    reply = play({"calls": [{"role": "executor", "do": [{"write": "part", "text": ""}], "ending": ending.value}]})
    assert reply.ending is ending
    assert reply.value is None
    assert (world.clone / "part").exists()


def test_usage_reported_in_steps_is_added_up(play: Play) -> None:
    steps = [
        {"usage": {"tokens_in": 100, "usd": 0.1}},
        {"usage": {"tokens_in": 5, "usd": 0.2, "usd_is_estimate": True}},
    ]
    reply = play(doing(*steps, usage={"tokens_in": 1000, "tokens_out": 10, "usd_is_estimate": False}))
    assert reply.ending is Ending.COMPLETED
    assert reply.usage == Usage(tokens_in=1105, tokens_out=10, usd=0.3, usd_is_estimate=True)


@pytest.mark.parametrize(
    ("each", "caps"),
    [({"tokens_in": 300, "tokens_out": 100}, Caps(wall_s=60, tokens=1000)), ({"usd": 0.4}, Caps(wall_s=60, usd=1.0))],
    ids=["tokens", "money"],
)
def test_an_agent_is_ended_at_its_first_report_over_the_cap_and_does_nothing_more(
    play: Play, world: World, each: dict[str, Any], caps: Caps
) -> None:
    names = [f"after-{number}" for number in range(1, 7)]
    actions = [action for name in names for action in ({"usage": each}, {"write": name, "text": ""})]
    reply = play(doing(*actions), caps=caps)
    assert reply.ending is Ending.BUDGET
    assert "over the cap" in reply.detail
    assert reply.value is None
    assert (reply.usage.tokens, round(reply.usage.usd, 9)) == (
        1200 if "tokens_in" in each else 0,
        1.2 if "usd" in each else 0,
    )
    assert [name for name in names if (world.clone / name).exists()] == ["after-1", "after-2"]


def test_a_call_that_is_over_its_cap_from_the_start_does_nothing_at_all(play: Play, world: World) -> None:
    over = doing({"write": "late", "text": ""}, usage={"tokens_in": 2000})
    reply = play(over, caps=Caps(wall_s=60, tokens=1000))
    assert (reply.ending, reply.usage.tokens) == (Ending.BUDGET, 2000)
    assert not (world.clone / "late").exists()


JUDGE = {
    "role": "judge",
    "reply": {
        "recommendation": "proceed",
        "concerns": ["scripted"],
        "independent_evidence": [],
        "scope_creep": [],
        "missing_requirements": [],
        "traces": [],
        "notes": "",
    },
}


def test_a_second_call_of_a_step_needs_an_entry_of_its_own(play: Play, world: World) -> None:
    first = read_reply(play({"calls": [JUDGE]}, role=Role.JUDGE).value, JudgeFindings)
    assert isinstance(first, JudgeFindings)
    assert first.concerns == ("scripted",)
    (world.context / "findings.json").write_text(json.dumps(JUDGE["reply"]))
    (world.context / "VERIFICATION.md").write_text("# Verification\n")
    honest = play({"calls": [JUDGE]}, role=Role.JUDGE, nth=2)
    assert isinstance(read_reply(honest.value, Divergence), Divergence)
    scripted = play({"calls": [JUDGE, {"role": "judge", "call": 2, "reply": {"mine": 1}}]}, role=Role.JUDGE, nth=2)
    assert scripted.value == {"mine": 1}


def test_a_strict_script_names_the_call_that_it_lacks(play: Play) -> None:
    reply = play({"calls": [JUDGE], "default": "fail"}, role=Role.JUDGE, nth=2)
    assert reply.ending is Ending.CRASHED
    assert reply.detail == NO_CALL.format("judge, phase 1, task 01-01, attempt 1, call 2")


@pytest.mark.parametrize(
    "fields", [{"raw": "x" * 10_000_000}, {"reply": {"deviations": ["x" * 10_000_000]}}], ids=["raw", "reply"]
)
def test_a_reply_of_ten_megabytes_is_refused_in_words(play: Play, blobs: Blobs, fields: dict[str, Any]) -> None:
    reply = play({"calls": [{"role": "executor", **fields}]})
    assert reply.ending is Ending.SCHEMA_UNMET
    assert (reply.value, reply.text) == (None, "")
    assert reply.detail == "the reply has over 1000000 bytes"
    assert len(blobs.get(reply.transcript)) < 3_000_000


@pytest.mark.one_in(4)
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "said",
    [{"raw": '{"flood"}'}, {"raw": '{"passed": tru'}, {"raw": "I am done."}, {"raw": ""}, {"reply": {}}],
    ids=["flood", "cut", "prose", "empty", "no fields"],
)
def test_a_reply_that_does_not_fit_is_passed_on_and_refused_in_words(play: Play, role: Role, said: Any) -> None:
    reply = play({"calls": [{"role": role.value, **said}]}, role=role)
    assert reply.ending is Ending.COMPLETED
    problem = read_reply(reply.text if reply.value is None else reply.value, REPLIES[role])
    assert isinstance(problem, Problem)
    assert problem.because


@pytest.mark.parametrize(("score", "refused"), [("9", True), ("9.0", False), ('"9.0"', False), ('"9"', True)])
def test_a_whole_number_as_a_score_stays_one_on_its_way_and_is_refused_in_words(
    play: Play, score: str, refused: bool
) -> None:
    lists = '"side_effects": [], "commands_run": [], "concerns": [], "scope_creep": [], "traces": []'
    words = '"criterion": "c", "verification_command": "", "command_output": "", "evidence": "", "justification": ""'
    card = f'{{"scorecard": [{{"score": {score}, {words}}}], {lists}, "aggregate_justification": ""}}'
    reply = play(f'{{"calls": [{{"role": "rater", "reply": {card}}}]}}', role=Role.RATER)
    read = read_reply(reply.value, RatingReply)
    assert isinstance(read, RatingReply)
    assert isinstance(read_rating(read), str) is refused


def test_raw_words_come_back_as_text(play: Play) -> None:
    reply = play({"calls": [{"role": "executor", "raw": f"So: {json.dumps(dict(REPLY))} done"}]})
    assert reply.value is None
    assert isinstance(read_reply(reply.text, ExecutorClaim), ExecutorClaim)


def test_without_a_fitting_call_a_strict_script_fails_and_says_which_call_it_lacks(play: Play) -> None:
    reply = play({"calls": [{"role": "judge"}], "default": "fail"}, attempt=2)
    assert reply.ending is Ending.CRASHED
    assert reply.detail == NO_CALL.format("executor, phase 1, task 01-01, attempt 2, call 1")


def test_a_call_without_a_reply_is_answered_honestly_after_its_actions(play: Play, world: World) -> None:
    work = [{"write": "new.txt", "text": "x"}, {"git": ["add", "-A"]}, {"git": ["commit", "--quiet", "-m", "work"]}]
    reply = play({"calls": [{"role": "executor", "do": work}]})
    claim = read_reply(reply.value, ExecutorClaim)
    assert isinstance(claim, ExecutorClaim)
    assert claim.tasks_completed == "1/1"
    assert claim.commit_shas == (world.git("rev-parse", "HEAD").strip(),)


def test_the_example_in_the_guide_does_what_the_guide_says(play: Play, world: World) -> None:
    [example] = re.findall(r"```json\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    first = play(example, attempt=1)
    assert isinstance(read_reply(first.text, ExecutorClaim), ExecutorClaim)
    assert world.git("log", "--format=%s").split("\n")[0] == "begin"

    second = play(example, attempt=2)
    assert second.ending is Ending.COMPLETED
    assert second.usage.tokens == 1500
    assert world.git("log", "--format=%s").split("\n")[0] == "Add a greeting"
    assert world.git("show", "HEAD:greeting.txt") == "hello\n"


def known(sandbox: Watched, transcripts: Transcripts, script: Path | None = None) -> KnownAgents:
    return KnownAgents(Roster(Path("/nowhere"), script=script), sandbox, transcripts, ScriptedAgent)


def test_a_malformed_script_is_refused_before_any_call(
    sandbox: Watched, transcripts: Transcripts, tmp_path: Path
) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"calls": [{"role": "executor", "do": [{"fly": 1}]}]}')
    with pytest.raises(UsageError, match=re.escape("calls[0].do[0]: unknown field `fly`")):
        known(sandbox, transcripts, script).named("scripted")


def test_an_agent_is_known_by_its_name_alone(sandbox: Watched, transcripts: Transcripts, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text("{}")
    agents = known(sandbox, transcripts, script)
    assert agents.named("scripted").name == "scripted"
    with pytest.raises(Unavailable, match="no agent named 'somebody'") as raised:
        agents.named("somebody")
    assert raised.value.hint.startswith("choose one of: claude, codex, ")


def test_without_a_script_the_scripted_agent_is_not_to_be_had(sandbox: Watched, transcripts: Transcripts) -> None:
    with pytest.raises(Unavailable) as raised:
        known(sandbox, transcripts).named("scripted")
    assert "--script FILE" in raised.value.hint


def test_without_python_its_version_is_not_to_be_had(
    sandbox: Watched, transcripts: Transcripts, tmp_path: Path
) -> None:
    script = tmp_path / "script.json"
    script.write_text("{}")
    agent = ScriptedAgent(script, sandbox, transcripts, python=tmp_path / "no-python")
    with pytest.raises(Unavailable, match="no-python does not exist"):
        agent.version()
