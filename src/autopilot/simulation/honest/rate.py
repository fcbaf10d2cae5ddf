"""An honest scorecard: high for observed passes, low for failures, medium for what could not be decided."""

from __future__ import annotations

from autopilot.simulation.honest import trace as honest_trace
from autopilot.simulation.honest.context import Context, Reply
from autopilot.simulation.honest.review import NO_COMMAND, Review, commands_run, evidence, has_passed, make_review, name

HIGH, OPEN, LOW = "9.6", "6.5", "3.2"


def rate(known: Context) -> Reply:
    review = make_review(known, known.criteria)
    return {
        "scorecard": scorecard(known, review),
        "side_effects": [],
        "commands_run": commands_run(known, review),
        "aggregate_justification": f"{sum(map(has_passed, review.seen))} of {len(review.seen)} observations passed",
        "concerns": review.doubts,
        "scope_creep": [],
        "traces": review.traces(),
    }


def scorecard(known: Context, review: Review) -> list[Reply]:
    """One entry per criterion, in their order; without criteria, one per observation."""
    by_subject = {item["subject"]: item for item in review.seen}
    searches = {item.criterion: item for item in review.searches}
    if not known.criteria:
        return [score_seen(item, review.places) for item in review.seen]
    card = []
    for item in known.criteria:
        if item["id"] in by_subject:
            card.append(score_seen(by_subject[item["id"]], review.places))
        elif item["text"] in searches:
            card.append(score_search(searches[item["text"]], review.places))
        else:
            card.append(score_prose(item, review.places))
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
    command, output = search.ran[-1] if search.ran else ("git diff HEAD~1 HEAD", f"{len(places)} files")
    return {
        "criterion": search.criterion,
        "score": HIGH if search.is_found else OPEN,
        "verification_command": command,
        "command_output": output[:200],
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
