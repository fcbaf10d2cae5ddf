"""Records answers to human gates, from any process, at any time. The first answer is final."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from autopilot.api.assembly import Assembly
from autopilot.api.people.inbox import choose_run, post_and_record, read_open_runs
from autopilot.api.people.settled import describe_answer
from autopilot.events.entry import Message
from autopilot.events.fold_people import pick_areas
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import DECIDED, OF_AN_ISSUE, GateKind
from autopilot.model.secrecy.redaction import Redactor
from autopilot.planning.issue.gate_answers import Given, check_given, read_answer
from autopilot.planning.people.scope import split_deferred
from autopilot.reports.markdown import stamp
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.gates import answer_command, resume_command, wait_for_verdict
from autopilot.text.naming import name_some, plural

MOST_NAMED = 3  # questions in one message


def record_answer(assembly: Assembly, answer: HumanAnswered) -> str:
    """Post the answer. A driving process records it; without one it is recorded here, and `resume` acts on it."""
    runs = read_open_runs(assembly, answer.gate)
    state = choose_run(runs, answer.gate)
    gate = find_gate(state, answer.gate, runs)
    refuse_second_answer(state, gate)
    given = check_answer(state, gate.asked, answer, assembly.redactor)
    _check_first(assembly, state, gate, given)
    message = Message(answer_key(state, gate.asked), state.run, given)
    posted, is_recorded = post_and_record(assembly, message, "autopilot answer")
    if posted.event != given:
        assert isinstance(posted.event, HumanAnswered), "no other message has such a key"
        raise _already_answered(state, posted.event, "")
    if not is_recorded:
        return f"{given.gate}: {_name_answer(given)} is saved; the running process reads it after its current step"
    if gate.asked.kind is GateKind.CHECKPOINT and given.approved is False:
        command = resume_command(state)
        return f"{given.gate}: your rejection is recorded, the run stops here; to continue after all: {command}"
    is_first = gate.asked.kind is GateKind.REQUIREMENTS  # another gate proposes an answer to its question
    unanswered = [question.id for question in gate.asked.questions if not given.answers.get(question.id)]
    without = f", without an answer to {', '.join(unanswered)}" if given.approved and unanswered and is_first else ""
    return f"{given.gate}: {_name_answer(given)} is recorded{without}; continue with: {resume_command(state)}"


def refuse_second_answer(state: RunState, gate: HumanGate) -> None:
    """UsageError that shows the recorded answer, for a gate that has one."""
    if gate.answered is not None:
        raise _already_answered(state, gate.answered, f" on {stamp(gate.answered_at)}")


def answer_key(state: RunState, asked: HumanAsked) -> str:
    return f"answer/{state.run}/{asked.gate}"


def find_gate(state: RunState, name: str, runs: Sequence[RunState] = ()) -> HumanGate:
    """The gate with this name, or the only open one with this prefix; else an answered one with this prefix.

    UsageError lists the open gates, of all ``runs`` that are unfinished.
    """
    if name in state.people.gates:
        return state.people.gates[name]
    open_gates = state.open_gates
    matching = [gate for gate in open_gates if not name or gate.asked.gate.startswith(f"{name}-")]
    answered = [gate for gate in state.people.gates.values() if name and gate.asked.gate.startswith(f"{name}-")]
    if len(matching) == 1 or (answered and not matching):
        return matching[0] if matching else answered[-1]
    names = ", ".join(gate.asked.gate for run in runs or (state,) for gate in run.open_gates)
    if any(phase.id == name for phase in wait_for_verdict(state)):
        hint = f"phase {name} waits for a verdict: `autopilot verdict {name} pass`"
        raise UsageError(f"there is no gate named {name}", hint)
    if not names:
        raise UsageError(
            f"there is no gate named {name}" if name else "no gate is open in this repository",
            "`autopilot gates` lists what waits for you in all your repositories",
        )
    message = f"there is no open gate named {name}" if name else "several gates are open; name one of them"
    raise UsageError(message, f"open: {names}")


def check_answer(state: RunState, asked: HumanAsked, answer: HumanAnswered, redactor: Redactor) -> HumanAnswered:
    """The answer as it is recorded. UsageError when it does not fit the questions of the gate."""
    if asked.kind is GateKind.CHECKPOINT and answer.approved is None:
        hint = f"`autopilot approve {asked.gate}` or `autopilot reject {asked.gate}`"
        raise UsageError(f"{asked.gate} asks for a decision, not for answers", hint)
    answers, deferred = _take_deferred(asked, {id: _clean(text, redactor) for id, text in answer.answers.items()})
    known = [question.id for question in asked.questions]
    if unknown := [id for id in answers if id not in known]:
        hint = f"its questions: {', '.join(known)}" if known else f"autopilot approve {asked.gate}"
        raise UsageError(f"{asked.gate} has no question {', '.join(unknown)}", hint)
    if asked.kind in OF_AN_ISSUE:
        route = state.issue.route if state.issue else None
        given = check_given(asked, Given(answers, answer.approved, _clean(answer.comment, redactor)), route)
        return HumanAnswered(asked.gate, given.answers, answer.by, given.approved, comment=given.comment)
    if asked.kind is not GateKind.CHECKPOINT and answer.approved is not None:
        raise UsageError(
            f"{asked.gate} asks questions and cannot be approved or rejected", f"autopilot answer {asked.gate}"
        )
    if answer.more and asked.kind is not GateKind.DISCUSS:
        other = "asks which areas to discuss" if asked.kind is GateKind.AREAS else "is not one of them"
        message = f"--more applies to the questions of a discussion, and {asked.gate} {other}"
        raise UsageError(message, f"autopilot answer {asked.gate}")
    if missing := [id for id in known if id not in answers]:
        left_out = f"{plural(len(missing), 'question')} ({name_some(missing, MOST_NAMED)})"
        fill_in = f"fill in {QUESTIONS}, then `autopilot answer --file {QUESTIONS}`"
        skip = " ".join(f"{id}=" for id in missing)
        raise UsageError(
            f"your answer leaves out {left_out} of {asked.gate}, and a gate is answered only once",
            f"{fill_in}; to skip a question, leave its answer empty: {skip}",
        )
    if asked.kind is GateKind.AREAS:
        _check_areas(state, asked, answers)
    more = tuple(_find_area(asked, area) for area in answer.more)
    comment, ideas = split_deferred(_clean(answer.comment, redactor))
    deferred |= {"": ideas} if ideas else {}
    more = tuple(dict.fromkeys(more))
    return replace(answer, gate=asked.gate, answers=answers, more=more, comment=comment, deferred=deferred)


def _take_deferred(asked: HumanAsked, texts: Mapping[str, str]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """The answers, and apart from them what goes beyond the phase: no agent that builds it is given that."""
    if asked.kind in OF_AN_ISSUE:
        return dict(texts), {}
    parts = {id: split_deferred(text) for id, text in texts.items()}
    return {id: text for id, (text, _) in parts.items()}, {id: ideas for id, (_, ideas) in parts.items() if ideas}


def _check_areas(state: RunState, asked: HumanAsked, answers: Mapping[str, str]) -> None:
    assert asked.phase is not None, "areas are those of a phase"
    count = len(state.people.discussions[asked.phase].areas)
    for text in answers.values():
        if pick_areas(text, count) is None:
            hint = f"autopilot answer {asked.gate} areas=1,{count}"
            raise UsageError(f'{asked.gate} needs numbers from 1 to {count}, "all" or "none", not "{text}"', hint)


def _find_area(asked: HumanAsked, name_or_number: str) -> str:
    """An area by its name or by the number of its questions."""
    areas = {question.area: question.id.partition(".")[0] for question in asked.questions if question.area}
    for name, number in areas.items():
        if name_or_number.strip().lower() in (name.lower(), number):
            return name
    names = "; ".join(f"{number} {name}" for name, number in areas.items()) or "it has none"
    raise UsageError(f'{asked.gate} has no area "{name_or_number}"', f"areas: {names}")


def _check_first(assembly: Assembly, state: RunState, gate: HumanGate, given: HumanAnswered) -> None:
    """Refuse another answer than one in the inbox. The same answer again records what a killed process left there."""
    key = answer_key(state, gate.asked)
    events = [message.event for message in assembly.ports.journal.inbox() if message.key == key]
    first = events[0] if events and isinstance(events[0], HumanAnswered) else None
    if first is not None and (first != given or assembly.lock.holder() is not None):
        raise _already_answered(state, first, "; the run has not read it yet")


def _already_answered(state: RunState, first: HumanAnswered, time: str) -> UsageError:
    still_open = [gate.asked.gate for gate in state.open_gates if gate.asked.gate != first.gate]
    hint = f"open: {', '.join(still_open)}" if still_open else resume_command(state)
    return UsageError(f"{first.gate} has already been answered by {first.by}{time}: {describe_answer(first)}", hint)


def _name_answer(answer: HumanAnswered) -> str:
    if answer.approved is not None:
        return "your approval" if answer.approved else "your rejection"
    return "your answer"


def _clean(text: str, redactor: Redactor) -> str:
    """Without secrets and without invalid characters, as it is recorded and shown to agents."""
    return redactor.clean(text.encode("utf-8", "replace").decode("utf-8")).strip()


def read_issue_answer(asked: HumanAsked, arguments: Sequence[str], by: str) -> HumanAnswered:
    """Words of a command line as an answer to a gate of an issue."""
    given = read_answer(asked, arguments)
    return HumanAnswered(asked.gate, given.answers, by, given.approved, comment=given.comment)


def answer_hint(gates: Iterable[HumanGate]) -> str:
    """The command that answers each gate, with … for the answers."""
    return "; ".join(
        " ".join(("autopilot answer", gate.asked.gate, *(f"{q.id}=…" for q in gate.asked.questions)))
        if gate.asked.questions and gate.asked.kind not in OF_AN_ISSUE
        else f"{_how_to_decide(gate.asked)}, or {_with_answers(gate.asked)}"
        if gate.asked.questions and gate.asked.kind is GateKind.REQUIREMENTS
        else _how_to_decide(gate.asked)
        for gate in gates
    )


def _with_answers(asked: HumanAsked) -> str:
    return " ".join(("autopilot answer", asked.gate, *(f'{question.id}="…"' for question in asked.questions)))


def _how_to_decide(asked: HumanAsked) -> str:
    command = answer_command(asked.kind, asked.gate)
    comment = "" if asked.kind is GateKind.CHECKPOINT else ' "…"'
    return f"{command}, or autopilot reject {asked.gate}{comment}" if asked.kind in DECIDED else command
