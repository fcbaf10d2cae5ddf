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
from autopilot.planning.issue.written_reply import answers_by_place, read_issue_reply
from autopilot.planning.people.answers import LEFT_OUT, VERDICTS, Answers, Reply, Said, parse_decision


class WrittenVerdict(Struct, frozen=True):
    verdict: str
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
            own = [one for one in answers.said if one.gate == asked.gate]
            reply = _texts({q.id: _first(one for one in own if one.about == q.id) for q in asked.questions})
            more = [one for one in own if one.about == "more" and one.text]
            lines = (*reply.lines, *(one.line for one in more))
            return replace(reply, more=tuple(one.text for one in more), lines=lines)
        case GateKind.ROUTE | GateKind.REQUIREMENTS | GateKind.DESIGN | GateKind.CAUSE:
            return read_issue_reply(asked, answers)


def verdict_on(phase: PhaseId, answers: Answers) -> WrittenVerdict | None:
    own = [one for one in answers.said if one.phase == phase and not one.gate and one.text]
    said = _first(one for one in own if one.about == "verdict")
    if said is None:
        return None
    issues = [one for one in own if one.about == "issue"]
    word = said.text.lower().replace(" ", "_")
    lines = (said.line, *(one.line for one in issues))
    if word not in VERDICTS:
        why = f"a verdict is one of {', '.join(VERDICTS)}"
        return WrittenVerdict("", lines=lines, problems=(f"{answers.place(said.line)}: {why}",))
    if word == "issues_found" and not issues:
        why = "issues_found needs at least one line `issue: …`"
        return WrittenVerdict(word, lines=lines, problems=(f"{answers.place(said.line)}: {why}",))
    return WrittenVerdict(word, tuple(one.text for one in issues), lines)


def written_so_far(answers: Answers, state: RunState) -> dict[tuple[str, str], str]:
    """By gate, or phase, and question: what a file has about whatever is open, whole or not."""
    found: dict[tuple[str, str], str] = {}
    for gate in state.open_gates:
        if gate.asked.kind in OF_AN_ISSUE:
            found |= {
                (gate.asked.gate, place): one.text for place, one in answers_by_place(gate.asked, answers).items()
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
    said = _first(one for one in answers.said if one.gate == asked.gate and one.text)
    if said is None:
        return Reply(lacking=(asked.gate,))
    decision = parse_decision(said.text)
    if decision is None:
        return Reply(lines=(said.line,), problems=(f"{answers.place(said.line)}: write approve, or reject and why",))
    return Reply(approved=decision[0], comment=decision[1], lines=(said.line,))


def _areas(asked: HumanAsked, answers: Answers, state: RunState) -> Reply:
    assert asked.phase is not None, "areas are those of a phase"
    count = len(state.people.discussions[asked.phase].areas)
    by_phase = (one for one in answers.said if not one.gate and one.phase == asked.phase and one.about == "areas")
    said = _first((*(one for one in answers.said if one.gate == asked.gate), *by_phase))
    if said is None:
        return Reply(lacking=tuple(q.id for q in asked.questions))
    if pick_areas(said.text, count) is None:
        why = f'write numbers from 1 to {count} ("1, 3"), all or none'
        return Reply(lines=(said.line,), problems=(f"{answers.place(said.line)}: {why}",))
    return Reply({q.id: said.text for q in asked.questions}, lines=(said.line,))


def _texts(found: Mapping[str, Said | None]) -> Reply:
    texts = {id: "" if one.text in LEFT_OUT else one.text for id, one in found.items() if one is not None}
    lines = tuple(one.line for one in found.values() if one is not None)
    return Reply(texts, lines=lines, lacking=tuple(id for id, one in found.items() if one is None))


def _about_map(question: HumanQuestion, answers: Answers) -> Iterator[Said]:
    """By its whole id anywhere, or by its number where its phase is named."""
    number = question.id.removeprefix(f"{question.phase}.")
    for one in answers.said:
        if one.gate in ("", "map") and (one.phase in (None, question.phase)):
            by_number = one.phase == question.phase and one.about == number
            if by_number or one.about == question.id:
                yield one


def _first(said: Iterator[Said] | tuple[Said, ...]) -> Said | None:
    """The first that says anything: a line left empty is a question left open."""
    return next((one for one in said if one.text), None)
