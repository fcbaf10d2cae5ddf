"""A truthful scorecard: high for what was seen to hold, low for the rest, between them what could not be decided."""

from __future__ import annotations

from autopilot.simulation.honest import trace as honest_trace
from autopilot.simulation.honest.known import Known, Reply
from autopilot.simulation.honest.review import NO_COMMAND, Look, commands_run, evidence, has_passed, look, name

HIGH, OPEN, LOW = "9.6", "6.5", "3.2"


def rate(known: Known) -> Reply:
    at = look(known, known.criteria)
    return {
        "scorecard": scorecard(known, at),
        "side_effects": [],
        "commands_run": commands_run(known, at),
        "aggregate_justification": f"{sum(map(has_passed, at.seen))} of {len(at.seen)} observations passed",
        "concerns": at.doubts,
        "scope_creep": [],
        "traces": at.traces(),
    }


def scorecard(known: Known, at: Look) -> list[Reply]:
    """One entry a criterion, in their order; where none are given, one for whatever was seen."""
    by_subject = {each["subject"]: each for each in at.seen}
    searches = {each.criterion: each for each in at.searches}
    if not known.criteria:
        return [score_seen(each, at.places) for each in at.seen]
    card = []
    for each in known.criteria:
        if each["id"] in by_subject:
            card.append(score_seen(by_subject[each["id"]], at.places))
        elif each["text"] in searches:
            card.append(score_search(searches[each["text"]], at.places))
        else:
            card.append(score_prose(each, at.places))
    return card


def score_seen(observation: Reply, places: dict[str, int]) -> Reply:
    return {
        "criterion": name(observation),
        "score": HIGH if has_passed(observation) else LOW,
        "verification_command": observation.get("command", ""),
        "command_output": observation.get("excerpt", "")[:200],
        "evidence": evidence(observation, places),
        "justification": f"the check {observation['seen']}",
    }


def score_search(search: honest_trace.Search, places: dict[str, int]) -> Reply:
    command, said = search.ran[-1] if search.ran else ("git diff HEAD~1 HEAD", f"{len(places)} files")
    return {
        "criterion": search.criterion,
        "score": HIGH if search.is_found else OPEN,
        "verification_command": command,
        "command_output": said[:200],
        "evidence": search.trace()["terminal_action"],
        "justification": honest_trace.NOT_FOLLOWED if search.is_found else "a search did not find both names",
    }


def score_prose(criterion: Reply, places: dict[str, int]) -> Reply:
    return {
        "criterion": criterion["text"],
        "score": OPEN,
        "verification_command": "git diff HEAD~1 HEAD",
        "command_output": f"{len(places)} files",
        "evidence": next((f"{path}:{line} -- changed here" for path, line in places.items()), "no change"),
        "justification": NO_COMMAND,
    }
