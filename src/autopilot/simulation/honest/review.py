"""Truthful replies of those who look at someone else's work: what was seen to pass is approved, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

from autopilot.simulation.honest import trace as honest_trace
from autopilot.simulation.honest.diverge import compare
from autopilot.simulation.honest.known import Known, Reply, changed_places, git

CHECKS = ("compile", "lint", "build", "test")
HINTS = ("wire",)  # observed for reviewers to think about; no verdict follows from it
CATEGORIES = {"compile": "compilation_failure", "lint": "lint_failure", "build": "build_failure"}
NOT_MADE = "was not made"
UNSEEN = ("could not be run", NOT_MADE)
NO_COMMAND = "the criterion has no command, and a scripted agent has no judgement of its own"
# True of every reply given here, whatever was seen.
LIMITS = (
    "only what was observed was read: the code itself was not understood",
    "what no check and no criterion reaches was not looked at",
)


class Look(NamedTuple):
    """Everything there is to say something about, and where the change is."""

    seen: list[Reply]  # observations, and for a command that nobody ran one that says so
    failed: list[Reply]
    hints: list[str]
    searches: list[honest_trace.Search]
    prose: list[Reply]
    places: dict[str, int]

    @property
    def found(self) -> list[honest_trace.Search]:
        return [each for each in self.searches if each.is_found]

    @property
    def has_held(self) -> bool:
        return bool(self.seen or self.found) and not self.failed

    @property
    def doubts(self) -> list[str]:
        nothing = [] if self.seen or self.found else ["nothing was observed"]
        return [
            *nothing,
            *self.hints,
            *(f"{each['criterion']}: {each['why_insufficient']}" for each in undecided(self)),
        ]

    def traces(self) -> list[Reply]:
        return [each.trace() for each in self.searches]


def look(known: Known, criteria: list[Reply], without: tuple[str, ...] = ()) -> Look:
    by_subject = {each["subject"]: each for each in known.observations}
    observed = [each for subject, each in by_subject.items() if subject not in (*without, *HINTS)]
    unmade = [each for each in criteria if form(each) == "command" and each["id"] not in by_subject]
    seen = [outranked(each, by_subject) for each in [*observed, *map(not_made, unmade)]]
    return Look(
        seen=seen,
        failed=[each for each in seen if not has_passed(each)],
        hints=[
            evidence(by_subject[hint], {}) for hint in HINTS if hint in by_subject and not has_passed(by_subject[hint])
        ],
        searches=[honest_trace.search(each, git) for each in criteria if form(each) == "trace"],
        prose=[each for each in criteria if form(each) == "prose" and each["id"] not in by_subject],
        places=changed_places(),
    )


def verify(known: Known) -> Reply:
    at, waiting = look(known, known.criteria), waits_for_person(known)
    return {
        "passed": at.has_held,
        "criteria_results": readings(at),
        "commands_run": commands_run(known, at),
        "failures": [{"failure": evidence(each, at.places), "category": category(each)} for each in at.failed],
        "scope_creep": [],
        "concerns": at.doubts,
        "autonomous_confidence": confidence(at, waiting),
        "automated_checks": [
            {"check": each["subject"], "passed": has_passed(each)}
            for each in known.observations
            if each["subject"] in CHECKS and each["seen"] not in UNSEEN
        ],
        "traces": at.traces(),
        # Where no task asks for a person there is nobody to defer to.
        "deferral_evidence": [*undecided(at), *waiting] if has_checkpoint(known) else [],
    }


def verify_task(known: Known) -> Reply:
    """The checks are left to those who know how they stood before the task."""
    of_task = [each for each in known.criteria if each.get("task") == known.task]
    at = look(known, known.task_facts.get("criteria") or of_task, without=CHECKS)
    return {
        "passed": at.has_held,
        "criteria_results": readings(at),
        "concerns": at.doubts,
        "commands_run": commands_run(known, at),
    }


def judge(known: Known) -> Reply:
    at = look(known, known.criteria)
    recommendation = "proceed" if at.has_held else "debug"
    if known.verification and known.findings is not None:
        seen = {name(each): has_passed(each) for each in at.seen}
        return compare(seen, known.verification, known.findings, recommendation)
    passed = sum(map(has_passed, at.seen))
    return {
        "recommendation": recommendation,
        "concerns": [*(evidence(each, at.places) for each in at.failed), *at.doubts, *LIMITS],
        "independent_evidence": [f"{path}:{line} -- changed here" for path, line in at.places.items()] or ["no change"],
        "scope_creep": [],
        "missing_requirements": [],
        "traces": at.traces(),
        "notes": f"{passed} of {len(at.seen)} observations passed",
    }


def readings(at: Look) -> list[Reply]:
    seen = [
        {
            "criterion": name(each),
            "status": "verified" if has_passed(each) else "failed",
            "evidence": evidence(each, at.places),
        }
        for each in at.seen
    ]
    traced = [
        {"criterion": each.criterion, "status": "verified", "evidence": each.trace()["terminal_action"]}
        for each in at.found
    ]
    return (
        seen
        + traced
        + [
            {"criterion": each["criterion"], "status": "unverifiable", "evidence": each["why_insufficient"]}
            for each in undecided(at)
        ]
    )


def undecided(at: Look) -> list[Reply]:
    lost = [
        {
            "criterion": each.criterion,
            "methods_attempted": [command for command, _ in each.ran] or ["read the criterion"],
            "why_insufficient": f"a search did not find both {each.handler} and {each.target}",
        }
        for each in at.searches
        if not each.is_found
    ]
    return lost + [cannot_verify(each["text"], NO_COMMAND) for each in at.prose]


def waits_for_person(known: Known) -> list[Reply]:
    """Checkpoints without any criterion: what a person is to look at there, nothing here can look at."""
    judged = {each.get("task") for each in known.criteria}
    tasks = [each for each in known.facts.get("tasks", []) if is_checkpoint(each) and each["id"] not in judged]
    why = "the plan keeps this checkpoint for a person and gives no criterion to run"
    return [cannot_verify(str(each.get("title") or each["id"]), why) for each in tasks]


def has_checkpoint(known: Known) -> bool:
    return any(map(is_checkpoint, known.facts.get("tasks", [])))


def is_checkpoint(task: Reply) -> bool:
    return str(task.get("type", "")).startswith("checkpoint")


def cannot_verify(criterion: str, why: str) -> Reply:
    return {"criterion": criterion, "methods_attempted": ["git diff HEAD~1 HEAD"], "why_insufficient": why}


def confidence(at: Look, waiting: list[Reply]) -> float:
    """How far it can be settled without a person: the share of what could be decided at all."""
    if not at.has_held:
        return 2.0
    if waiting:
        return 4.0
    decided = len(at.seen) + len(at.found)
    return round(9.0 * decided / (decided + len(undecided(at))), 1)


def form(criterion: Reply) -> str:
    return str(criterion.get("form") or ("command" if criterion.get("command") else "prose"))


def not_made(criterion: Reply) -> Reply:
    return {**criterion, "subject": criterion["id"], "seen": NOT_MADE}


def outranked(observation: Reply, by_subject: dict[str, Reply]) -> Reply:
    """A task's test script decides before a criterion's own command, and it passes only when all of its lines do."""
    script = by_subject.get(f"script:{observation['subject'].rpartition('.')[0]}")
    if has_passed(observation) or script is None or not has_passed(script):
        return observation
    decided = {key: script.get(key) for key in ("command", "seen", "exit_code", "excerpt")}
    return {**observation, **decided}


def name(observation: Reply) -> str:
    return str(observation.get("text") or observation["subject"])


def has_passed(observation: Reply) -> bool:
    """A check that is red by nothing but what was red before the work began says nothing against the work."""
    return bool(observation["seen"] == "passed" or observation.get("red_before"))


def category(observation: Reply) -> str:
    if observation["seen"] in UNSEEN:
        return "tool_failure"
    return CATEGORIES.get(observation["subject"], "acceptance_criteria_unmet")


def evidence(observation: Reply, places: dict[str, int]) -> str:
    """``file:line -- what was seen``; the file is one that the check names, else one that the change touched."""
    about = f"{observation.get('command', '')} {observation.get('text', '')}"
    named = {path: line for path, line in places.items() if path in about}
    place = next((f"{path}:{line} -- " for path, line in (named or places).items()), "")
    return f"{place}{name(observation)}: the check {observation['seen']}"


def commands_run(known: Known, at: Look) -> list[str]:
    passed = sum(map(has_passed, known.observations))
    return [
        f"git diff HEAD~1 HEAD -> {len(at.places)} files with added lines",
        f"cat .autopilot/observations.json -> {passed} of {len(known.observations)} passed",
        *(f"{command} -> {said}" for search in at.searches for command, said in search.ran),
    ]
