"""What an answers file says to one gate, or to one phase that waits for a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.fold_people import pick_areas
from autopilot.events.people import HumanAsked
from autopilot.events.state import RunState
from autopilot.model.human import OF_AN_ISSUE, GateKind, HumanQuestion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PersonVerdict
from autopilot.planning.issue.written_reply import answers_by_place, read_issue_reply
from autopilot.planning.people.answers import LEFT_OUT, VERDICTS, Answers, Reply, WrittenAnswer, parse_decision
from autopilot.planning.people.scope import split_deferred


class WrittenVerdict(Struct, frozen=True):
    verdict: PersonVerdict
    issues: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()


def reply_to(asked: HumanAsked, answers: Answers, state: RunState) -> Reply:
    match asked.kind:
        case GateKind.CHECKPOINT:
            return _decision(asked, answers)
        case GateKind.AREAS:
            return _areas(asked, answers, state)
        case GateKind.MAP:
            return _texts({q.id: _first(_about_map(q, answers)) for q in asked.questions})
        case GateKind.DISCUSS:
            own = [answer for answer in answers.written if answer.gate == asked.gate]
            reply = _texts({q.id: _first(answer for answer in own if answer.about == q.id) for q in asked.questions})
            more = [answer for answer in own if answer.about == "more" and answer.text]
            lines = (*reply.lines, *(answer.line for answer in more))
            return replace(reply, more=tuple(answer.text for answer in more), lines=lines)
        case GateKind.ROUTE | GateKind.REQUIREMENTS | GateKind.DESIGN | GateKind.CAUSE:
            return read_issue_reply(asked, answers)


def verdict_on(phase: PhaseId, answers: Answers) -> WrittenVerdict | None:
    own = [answer for answer in answers.written if answer.phase == phase and not answer.gate and answer.text]
    found = _first(answer for answer in own if answer.about == "verdict")
    if found is None:
        return None
    issues = [answer for answer in own if answer.about == "issue"]
    word = found.text.lower().replace(" ", "_")
    lines = (found.line, *(answer.line for answer in issues))
    if word not in VERDICTS:
        why = f"a verdict is one of {', '.join(VERDICTS)}"
        return WrittenVerdict(PersonVerdict.NOT_YET, lines=lines, problems=(f"{answers.place(found.line)}: {why}",))
    verdict = PersonVerdict(word)
    if verdict is PersonVerdict.ISSUES_FOUND and not any(split_deferred(answer.text)[0] for answer in issues):
        why = "issues_found needs at least one line `issue: …`"
        return WrittenVerdict(verdict, lines=lines, problems=(f"{answers.place(found.line)}: {why}",))
    return WrittenVerdict(verdict, tuple(answer.text for answer in issues), lines)


def written_so_far(answers: Answers, state: RunState) -> dict[tuple[str, str], str]:
    """By gate, or phase, and question: what a file has about whatever is open, whole or not."""
    found: dict[tuple[str, str], str] = {}
    for gate in state.open_gates:
        if gate.asked.kind in OF_AN_ISSUE:
            found |= {
                (gate.asked.gate, place): answer.text for place, answer in answers_by_place(gate.asked, answers).items()
            }
            continue
        name, reply = gate.asked.gate, reply_to(gate.asked, answers, state)
        found |= {(name, id): text or LEFT_OUT[0] for id, text in reply.answers.items()}
        if reply.approved is not None:
            found[name, "answer"] = f"{'approve' if reply.approved else 'reject'} {reply.comment}".strip()
        found[name, "more"] = "\n".join(" ".join(area.split()) for area in reply.more)
    for phase in state.phases:
        if written := verdict_on(phase, answers):
            found[phase, "verdict"] = written.verdict
            found[phase, "issue"] = "\n".join(" ".join(issue.split()) for issue in written.issues)
    return {place: text for place, text in found.items() if text}


def _decision(asked: HumanAsked, answers: Answers) -> Reply:
    found = _first(answer for answer in answers.written if answer.gate == asked.gate and answer.text)
    if found is None:
        return Reply(lacking=(asked.gate,))
    decision = parse_decision(found.text)
    if decision is None:
        return Reply(lines=(found.line,), problems=(f"{answers.place(found.line)}: write approve, or reject and why",))
    return Reply(approved=decision[0], comment=decision[1], lines=(found.line,))


def _areas(asked: HumanAsked, answers: Answers, state: RunState) -> Reply:
    assert asked.phase is not None, "areas are those of a phase"
    count = len(state.people.discussions[asked.phase].areas)
    by_phase = (
        answer
        for answer in answers.written
        if not answer.gate and answer.phase == asked.phase and answer.about == "areas"
    )
    found = _first((*(answer for answer in answers.written if answer.gate == asked.gate), *by_phase))
    if found is None:
        return Reply(lacking=tuple(q.id for q in asked.questions))
    if pick_areas(found.text, count) is None:
        why = f'write numbers from 1 to {count} ("1, 3"), all or none'
        return Reply(lines=(found.line,), problems=(f"{answers.place(found.line)}: {why}",))
    return Reply({q.id: found.text for q in asked.questions}, lines=(found.line,))


def _texts(found: Mapping[str, WrittenAnswer | None]) -> Reply:
    texts = {id: "" if answer.text in LEFT_OUT else answer.text for id, answer in found.items() if answer is not None}
    lines = tuple(answer.line for answer in found.values() if answer is not None)
    return Reply(texts, lines=lines, lacking=tuple(id for id, answer in found.items() if answer is None))


def _about_map(question: HumanQuestion, answers: Answers) -> Iterator[WrittenAnswer]:
    """By its whole id anywhere, or by its number where its phase is named."""
    number = question.id.removeprefix(f"{question.phase}.")
    for answer in answers.written:
        if answer.gate in ("", "map") and (answer.phase in (None, question.phase)):
            by_number = answer.phase == question.phase and answer.about == number
            if by_number or answer.about == question.id:
                yield answer


def _first(candidates: Iterator[WrittenAnswer] | tuple[WrittenAnswer, ...]) -> WrittenAnswer | None:
    """The first that says anything: a line left empty is a question left open."""
    return next((answer for answer in candidates if answer.text), None)
