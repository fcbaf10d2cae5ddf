"""Honest replies of reviewers: only what was observed to pass is approved."""

from __future__ import annotations

from autopilot.simulation.honest import trace as honest_trace
from autopilot.simulation.honest.comparison import compare
from autopilot.simulation.honest.context import Context, Reply, find_changed_lines, git
from autopilot.simulation.honest.plain import Record
from autopilot.simulation.honest.reading import read_promise

CHECKS = ("compile", "lint", "build", "test")
HINTS = ("wire",)  # for reviewers only; no verdict depends on it
CATEGORIES = {"compile": "compilation_failure", "lint": "lint_failure", "build": "build_failure"}
NOT_RUN = "was not made"
NOT_OBSERVED = ("could not be run", NOT_RUN)
NO_COMMAND = "the criterion has no command, and a scripted agent has no judgement of its own"
# True of every reply made here.
LIMITS = (
    "only what was observed was read: the code itself was not understood",
    "what no check and no criterion reaches was not looked at",
)


class Review(Record):
    """Everything that a reviewer can judge, and the changed lines."""

    seen: list[Reply]  # observations, and a placeholder for a command that was not run
    failed: list[Reply]
    hints: list[str]
    searches: list[honest_trace.Search]
    prose: list[Reply]
    places: dict[str, int]

    @property
    def found(self) -> list[honest_trace.Search]:
        return [item for item in self.searches if item.is_found]

    @property
    def has_held(self) -> bool:
        return bool(self.seen or self.found) and not self.failed

    @property
    def doubts(self) -> list[str]:
        nothing = [] if self.seen or self.found else ["nothing was observed"]
        return [
            *nothing,
            *self.hints,
            *(f"{item['criterion']}: {item['why_insufficient']}" for item in find_undecided(self)),
        ]

    def traces(self) -> list[Reply]:
        return [item.trace() for item in self.searches]


def make_review(known: Context, criteria: list[Reply], without: tuple[str, ...] = ()) -> Review:
    by_subject = {item["subject"]: item for item in known.observations if "not_run" not in item}
    observed = [item for subject, item in by_subject.items() if subject not in (*without, *HINTS)]
    not_run = [item for item in criteria if form(item) == "command" and item["id"] not in by_subject]
    seen = [apply_script_result(item, by_subject) for item in [*observed, *map(mark_not_run, not_run)]]
    return Review(
        seen=seen,
        failed=[item for item in seen if not has_passed(item)],
        hints=[
            evidence(by_subject[hint], {}) for hint in HINTS if hint in by_subject and not has_passed(by_subject[hint])
        ],
        searches=[honest_trace.search(item, git) for item in criteria if form(item) == "trace"],
        prose=[item for item in criteria if form(item) == "prose" and item["id"] not in by_subject],
        places=find_changed_lines(),
    )


def verify(known: Context) -> Reply:
    review, waiting = make_review(known, known.criteria), find_manual_checkpoints(known)
    return {
        "passed": review.has_held,
        "criteria_results": with_readings(criteria_results(review), known.to_read),
        "commands_run": commands_run(known, review),
        "failures": [{"failure": evidence(item, review.places), "category": category(item)} for item in review.failed],
        "scope_creep": [],
        "concerns": review.doubts,
        "autonomous_confidence": confidence(review, waiting),
        "automated_checks": [
            {"check": item["subject"], "passed": has_passed(item)}
            for item in known.observations
            if item["subject"] in CHECKS and item["seen"] not in NOT_OBSERVED and "not_run" not in item
        ],
        "traces": review.traces(),
        # Without a checkpoint task nothing is deferred to the user.
        "deferral_evidence": [*find_undecided(review), *waiting] if has_checkpoint(known) else [],
    }


def verify_task(known: Context) -> Reply:
    """Without the checks: only Autopilot knows their results before the task."""
    of_task = [item for item in known.criteria if item.get("task") == known.task]
    review = make_review(known, known.task_facts.get("criteria") or of_task, without=CHECKS)
    return {
        "passed": review.has_held,
        "criteria_results": criteria_results(review),
        "concerns": review.doubts,
        "commands_run": commands_run(known, review),
    }


def judge(known: Context) -> Reply:
    review = make_review(known, known.criteria)
    recommendation = "proceed" if review.has_held else "debug"
    if known.verification and known.findings is not None:
        seen = {name(item): has_passed(item) for item in review.seen}
        return compare(seen, known.verification, known.findings, recommendation)
    passed = sum(map(has_passed, review.seen))
    return {
        "recommendation": recommendation,
        "concerns": [*(evidence(item, review.places) for item in review.failed), *review.doubts, *LIMITS],
        "independent_evidence": [f"{path}:{line} -- changed here" for path, line in review.places.items()]
        or ["no change"],
        "scope_creep": [],
        "missing_requirements": [],
        "traces": review.traces(),
        "notes": f"{passed} of {len(review.seen)} observations passed",
    }


def criteria_results(review: Review) -> list[Reply]:
    seen = [
        {
            "criterion": name(item),
            "status": "verified" if has_passed(item) else "failed",
            "evidence": evidence(item, review.places),
        }
        for item in review.seen
    ]
    traced = [
        {"criterion": item.criterion, "status": "verified", "evidence": item.trace()["terminal_action"]}
        for item in review.found
    ]
    return (
        seen
        + traced
        + [
            {"criterion": item["criterion"], "status": "unverifiable", "evidence": item["why_insufficient"]}
            for item in find_undecided(review)
        ]
    )


def with_readings(results: list[Reply], to_read: list[Reply]) -> list[Reply]:
    """What the owner asks for and nothing decided is read; what a trace or a check decided is not read again."""
    decided = {item["criterion"] for item in results if item["status"] != "unverifiable"}
    readings = [read_promise(promise, git) for promise in to_read if promise["text"] not in decided]
    replaced = {item["criterion"] for item in readings}
    return [*(item for item in results if item["criterion"] not in replaced), *readings]


def find_undecided(review: Review) -> list[Reply]:
    lost = [
        {
            "criterion": item.criterion,
            "methods_attempted": [command for command, _ in item.ran] or ["read the criterion"],
            "why_insufficient": f"a search did not find both {item.handler} and {item.target}",
        }
        for item in review.searches
        if not item.is_found
    ]
    return lost + [cannot_verify(item["text"], NO_COMMAND) for item in review.prose]


def find_manual_checkpoints(known: Context) -> list[Reply]:
    """Checkpoints without a criterion: only the user can judge them."""
    judged = {item.get("task") for item in known.criteria}
    tasks = [item for item in known.facts.get("tasks", []) if is_checkpoint(item) and item["id"] not in judged]
    reason = "the plan keeps this checkpoint for a person and gives no criterion to run"
    return [cannot_verify(str(item.get("title") or item["id"]), reason) for item in tasks]


def has_checkpoint(known: Context) -> bool:
    return any(map(is_checkpoint, known.facts.get("tasks", [])))


def is_checkpoint(task: Reply) -> bool:
    return str(task.get("type", "")).startswith("checkpoint")


def cannot_verify(criterion: str, reason: str) -> Reply:
    return {"criterion": criterion, "methods_attempted": ["git diff HEAD~1 HEAD"], "why_insufficient": reason}


def confidence(review: Review, waiting: list[Reply]) -> float:
    """The share of criteria that could be decided without the user."""
    if not review.has_held:
        return 2.0
    if waiting:
        return 4.0
    decided = len(review.seen) + len(review.found)
    return round(9.0 * decided / (decided + len(find_undecided(review))), 1)


def form(criterion: Reply) -> str:
    return str(criterion.get("form") or ("command" if criterion.get("command") else "prose"))


def mark_not_run(criterion: Reply) -> Reply:
    return {**criterion, "subject": criterion["id"], "seen": NOT_RUN}


def apply_script_result(observation: Reply, by_subject: dict[str, Reply]) -> Reply:
    """The result of a task's test script overrides a criterion's own command."""
    script = by_subject.get(f"script:{observation['subject'].rpartition('.')[0]}")
    if has_passed(observation) or script is None or not has_passed(script):
        return observation
    decided = {key: script.get(key) for key in ("command", "seen", "exit_code", "excerpt")}
    return {**observation, **decided}


def name(observation: Reply) -> str:
    return str(observation.get("text") or observation["subject"])


def has_passed(observation: Reply) -> bool:
    """A check counts as passed if it fails only by what failed before the work began."""
    return bool(observation["seen"] == "passed" or observation.get("red_before"))


def category(observation: Reply) -> str:
    if observation["seen"] in NOT_OBSERVED:
        return "tool_failure"
    return CATEGORIES.get(observation["subject"], "acceptance_criteria_unmet")


def evidence(observation: Reply, places: dict[str, int]) -> str:
    """``file:line -- what was observed``; the file is one that the check names, else a changed one."""
    description = f"{observation.get('command', '')} {observation.get('text', '')}"
    named = {path: line for path, line in places.items() if path in description}
    position = next((f"{path}:{line} -- " for path, line in (named or places).items()), "")
    return f"{position}{name(observation)}: the check {observation['seen']}"


def commands_run(known: Context, review: Review) -> list[str]:
    passed = sum(map(has_passed, known.observations))
    return [
        f"git diff HEAD~1 HEAD -> {len(review.places)} files with added lines",
        f"cat .autopilot/observations.json -> {passed} of {len(known.observations)} passed",
        *(f"{command} -> {output}" for search in review.searches for command, output in search.ran),
    ]
