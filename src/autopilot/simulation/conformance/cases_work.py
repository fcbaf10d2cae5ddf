"""Cases about work: is the agent told everything, does it do what its model orders, and does it answer in form?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from autopilot.model.agent import AgentReply, Ending, Usage
from autopilot.model.claim import ExecutorClaim
from autopilot.ports.reply import Problem, read_reply
from autopilot.simulation.conformance.finding import Finding, demand, not_supported, passed
from autopilot.simulation.conformance.processes import find_words
from autopilot.simulation.conformance.stage import Sitting, Stage
from autopilot.simulation.model_server.conversation import Conversation
from autopilot.simulation.model_server.script import Reply, Rule, Run, Say, Tokens, Turn, Write

SIDE = Tokens()
EACH = Tokens(input=1000, output=100)
COMMIT = "git add -A && git commit --quiet -m 'by its own tools'"
ODD = "quotes ' \" ` $HOME $(id) \\ %s {x} <tag> é 漢 🙂 --help\n"
PROMPT_LINES = 400


def answer(stage: Stage) -> Reply:
    """A whole reply of a role, with words in it that nobody could make up."""
    claim: Mapping[str, Any] = {
        "tasks_completed": "1/1",
        "tasks_failed": "0/1",
        "commit_shas": [],
        "evidence": [{"task_id": "01-01", "criteria_met": [stage.mark], "commands_run": [ODD]}],
        "deviations": [],
        "confidence": 8.5,
    }
    return Reply(value=claim, usage=EACH)


def is_found(stage: Stage) -> Finding:
    return passed(stage.version())


def hears_its_prompt(stage: Stage) -> Finding:
    lines = "".join(f"{number}: {stage.mark} {ODD}" for number in range(PROMPT_LINES))
    prompt = f"Read all of this.\n{lines}The end of {stage.mark}."
    heard: list[str] = []
    leaks: list[str] = []

    def listen(talk: Conversation) -> Turn:
        """The agent waits for us just now: whoever it has told its prompt to is there to be seen."""
        heard.append(talk.prompt)
        leaks.extend(find_words(stage.mark))
        return answer(stage)

    with stage.sit(rule=Rule("", answer=listen)) as sitting:
        sitting.complete(prompt)
    demand(bool(heard), "its model was never asked")
    demand(prompt in heard[0], f"{len(heard[0])} of {len(prompt)} characters reached its model, or other ones")
    demand(not leaks, f"the prompt stands on a command line, for everyone to read: {' '.join(leaks)[:120]}")
    return passed(f"{len(prompt)} characters, and none of them on a command line")


def uses_tools(stage: Stage) -> Finding:
    order = Run(command="tr a-z A-Z <note.txt >loud.txt")
    with stage.sit(Write(path="note.txt", text=f"{stage.mark}\n"), order, answer(stage)) as sitting:
        sitting.complete()
        written, made = sitting.read("note.txt").strip(), sitting.read("loud.txt").strip()
    demand(written == stage.mark, "it did not write the file that its model ordered")
    demand(made == stage.mark.upper(), "it did not run the command that its model ordered")
    return passed("a file written and a command run, as its model ordered")


def commits(stage: Stage) -> Finding:
    with stage.sit(Write(path="work.txt", text=f"{stage.mark}\n"), Run(command=COMMIT), answer(stage)) as sitting:
        sitting.complete()
        head = stage.vault.take(sitting.clone, f"refs/autopilot/test/{stage.mark}")
    demand(head is not None and head != stage.base, "it ended as if all were done, and there is no commit")
    assert head is not None
    demand(stage.vault.is_ancestor(stage.base, head), "its commit does not descend from what it was given")
    work = stage.vault.read(head, "work.txt") or b""
    demand(work.decode(errors="replace").strip() == stage.mark, "its commit lacks the file that it wrote")
    return passed(f"{head[:12]}, by its own tools")


def answers_in_form(stage: Stage) -> Finding:
    said = answer(stage)
    with stage.sit(said) as sitting:
        reply = sitting.complete()
    read = read_reply(_said(reply), ExecutorClaim)
    demand(not isinstance(read, Problem), f"its reply does not fit: {getattr(read, 'because', '')}")
    demand(read == msgspec.convert(said.value, ExecutorClaim), "its reply is not the one its model gave")
    return passed("an executor's report, " + ("as plain data" if reply.value is not None else "found in its words"))


def invents_no_answer(stage: Stage) -> Finding:
    with stage.sit(Say("I would rather put it in my own words.")) as sitting:
        reply = sitting.ask()
        demand(bool(sitting.played("say")), "its model was never asked")
    read = read_reply(_said(reply), ExecutorClaim)
    demand(isinstance(read, Problem), "its model gave no report, and yet it handed one in")
    fitting = (Ending.COMPLETED, Ending.SCHEMA_UNMET)
    demand(reply.ending in fitting, f"it ended as {reply.ending.value}: {reply.detail}")
    return passed(f"words without a report are none; it ended as {reply.ending.value}")


def goes_on_with_a_session(stage: Stage) -> Finding:
    prompts: list[int] = []

    def listen(talk: Conversation) -> Turn:
        prompts.append(talk.prompts)
        return answer(stage)

    with stage.sit(rule=Rule("", answer=listen)) as sitting:
        first = sitting.complete("Remember what you did.")
        if not first.session:
            return not_supported("it names no session to go on with")
        asked = len(sitting.server.requests)
        second = sitting.complete("Say it once more.", session=first.session, session_total=first.session_total)
        most = _served(sitting, asked)
    demand(bool(prompts), "its model was never asked")
    demand(prompts[-1] >= 2, "asked again in the same session, its model was told nothing of the first time")
    counted = second.usage
    demand(counted.tokens <= most.tokens, f"{counted.tokens} tokens counted for the second call, {most.tokens} used")
    demand(
        counted.usd <= 1.5 * first.usage.usd,
        f"{counted.usd:g} USD counted for the second call, {first.usage.usd:g} for an equal first",
    )
    return passed("the second call knows of the first, and counts what it used alone")


def counts_what_it_used(stage: Stage) -> Finding:
    with stage.sit(Run(command="true", usage=EACH), answer(stage)) as sitting:
        usage = sitting.complete().usage
        most = _served(sitting)
    if not usage.tokens:
        return not_supported("it does not say what it used, so no cap on tokens or money can hold for it")
    demand(usage.tokens <= most.tokens, f"{usage.tokens} tokens counted, {most.tokens} used")
    demand(usage.usd > 0, "no money counted, neither reported nor estimated")
    how = "estimated from a price table" if usage.usd_is_estimate else "as it says itself"
    return passed(f"{usage.tokens} of {most.tokens} tokens; {usage.usd:.4f} USD, {how}")


def _said(reply: AgentReply) -> object:
    return reply.value if reply.value is not None else reply.text


def _served(sitting: Sitting, after: int = 0) -> Usage:
    """What the model has handed out in all, side talk included."""
    played = [request.played for request in sitting.server.requests[after:]]
    side, main = played.count("side"), sum(each in ("say", "run", "write", "reply") for each in played)
    return Usage(main * EACH.input + side * SIDE.input, main * EACH.output + side * SIDE.output)
