"""Where a run stands: one line, or a short page, from its status document. Imports nothing: prompts print it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

WAITS = "needs_human_verification"
INTERRUPTED = "interrupted"
COLUMNS = 80
BETWEEN = " · "
SHORTEST_ACTIVITY = 12


def render_line(document: Mapping[str, Any], alive: bool) -> str:
    """``status --line``: for prompts and status bars."""
    meta = document["_meta"]
    statuses = [phase["status"] for phase in document["phases"].values()]
    if issue := document.get("issue"):
        person = f", {meta['open_gates']} waiting for you" if meta.get("open_gates") else ""
        outcome = f" {issue['outcome']}" if issue["outcome"] else ""
        return f"{meta['run_id']} {run_word(meta, alive)} {issue['where']}{outcome}{person}"
    where = f" phase {meta['current_phase']} {meta['current_step'] or ''}".rstrip() if meta["current_phase"] else ""
    begun = [key for key, phase in document["phases"].items() if phase["status"] == "in_progress"]
    where = f" phases {', '.join(begun)}" if len(begun) > 1 else where
    unsettled = [p for p in document["phases"].values() if p["status"] == WAITS and not p.get("human_verdict")]
    people = len(unsettled) + meta.get("open_gates", 0)
    person = f", {people} waiting for you" if people else ""
    done = f"{statuses.count('completed')}/{meta['total_phases']}"
    return f"{meta['run_id']} {run_word(meta, alive)} {done}{person}{where}"


def render_status(document: Mapping[str, Any], alive: bool) -> str:
    meta = document["_meta"]
    because = f" ({_reason(document)})" if meta["stop_reason"] else ""
    lines = [f"{meta['run_id']}: {run_word(meta, alive)}{because}"]
    if issue := document.get("issue"):
        lines += _issue_lines(issue)
    looks = {waiting["name"]: waiting.get("look") for waiting in document.get("for_you", ())}
    for key, phase in document["phases"].items() if not issue else ():
        lines += _phase_lines(key, phase, looks.get(key) or "")
    lines += _caught_lines(document["caught"])
    breaker = document["circuit_breaker"]
    if breaker["state"] != "closed" and not (breaker["reason"] and breaker["reason"] in because):
        until = f", until {breaker['cooldown_until']}" if breaker["cooldown_until"] else ""
        lines.append(f"  the circuit breaker is {breaker['state'].replace('_', '-')}{until}: {breaker['reason']}")
    if document["landing"]:
        lines.append(f"  {document['landing']}")
    lines += [f"  now: {render_doing(doing, COLUMNS - len('  now: '))}" for doing in document.get("now", ())]
    lines.append(_spent(document["metrics"]))
    remedies = [f"to continue: {remedy}" for remedy in document.get("remedies", ())]
    lines += [f"  {line}" for line in document.get("next", remedies)]  # a row that an older version prepared has none
    if run_word(meta, alive) == INTERRUPTED:
        lines.append(f"  to continue: `{_resume_command(document)}`")
    lines += [f"  waits for you: {waiting['title']} {_how_to_settle(waiting)}" for waiting in gates_of(document)]
    if not meta["sandboxed"]:
        lines.append("  commands ran WITHOUT a sandbox, by your written opt-out")
    if names := " and ".join(meta.get("open_egress", ())):
        lines.append(f"  {names} may reach any host and every service of this machine, by your settings")
    if reached := meta.get("checks_reach", ""):
        lines.append(f"  weaker evidence: checks may reach {reached}, by your settings")
    # A reason with a line end in it must not be able to write a line of its own.
    return "\n".join(line.replace("\n", " ").replace("\r", " ") for line in lines)


def _how_to_settle(waiting: Mapping[str, Any]) -> str:
    """The command for a gate, and where there are two ways the other one."""
    command, kind = str(waiting["command"]), waiting["kind"]
    if kind == "route":
        return f"(`{command}` or `autopilot answer {waiting['name']} full`)"
    if not command.startswith("autopilot approve "):
        return f"(`{command}`)"
    reason = "" if kind == "checkpoint" else ' "what has to change"'
    return f"(`{command}` or `autopilot reject {waiting['name']}{reason}`)"


def _reason(document: Mapping[str, Any]) -> str:
    """Why it rests; once every verdict it waited for is given, that it can go on."""
    meta, issue = document["_meta"], document.get("issue") or {}
    if merged := issue.get("merged_into"):
        return f"{issue['outcome']}: {issue['branch']} is merged into {merged}"
    waiting = [phase for phase in document["phases"].values() if phase["status"] == WAITS]
    if meta["status"] == "waiting" and waiting and all(phase["human_verdict"] for phase in waiting):
        return "your verdict is recorded; continue with: " + _resume_command(document)
    if meta["status"] == "waiting" and not document.get("for_you", [True]):
        return f"your answer is recorded; continue with: {_resume_command(document)}"
    return str(document.get("reason") or meta["stop_reason"])


def _resume_command(document: Mapping[str, Any]) -> str:
    issue = document.get("issue")
    command = f"autopilot issue {issue['number']}" if issue else "autopilot resume"
    return str(document.get("resume", command))  # a row that an older version prepared has none


def _caught_lines(caught: list[Mapping[str, Any]]) -> Iterator[str]:
    """Each once, however often it was tried."""
    lines = [f"task {refused['task']} of phase {refused['phase']} was {refused['because']}" for refused in caught]
    for line in dict.fromkeys(lines):
        times = lines.count(line)
        yield f"  caught: {line}" + (f" ({times} times)" if times > 1 else "")


def _issue_lines(issue: Mapping[str, Any]) -> Iterator[str]:
    route = f" ({issue['route']} route)" if issue["route"] else ""
    yield f"  issue {issue['number']}, {issue['title']}{route}; branch {issue['branch']}"
    outcome = f": {issue['outcome']}" if issue["outcome"] else ""
    yield f"  {issue['where']}{outcome}" + (f", {issue['reason']}" if issue["reason"] else "")
    if oracle := issue["oracle"]:
        terms = {"red": "red_observed", "green": "at_green", "covered": "coverage_ok"}
        results = (f"{name} yes" if oracle[key] else f"{name} no" for name, key in terms.items())
        yield f"  oracle: {', '.join(results)}"
    if issue["remedy"]:
        yield from (f"  {line}" for line in issue["remedy"])
        return
    for finding in issue["findings"]:
        detail = f": {finding['detail']}" if finding["detail"] else ""
        yield f"  to fix: {finding['evidence_ref']}{detail}"
    if issue.get("merged_into"):
        yield f"  merged into {issue['merged_into']}: nothing is left to do"
    elif issue["merge_command"]:
        yield f"  to merge (only you can): `{issue['merge_command']}`"


def gates_of(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What is asked; verdicts and landings have lines of their own."""
    return [waiting for waiting in document.get("for_you", ()) if waiting["kind"] not in ("verdict", "landing")]


def _phase_lines(key: str, phase: Mapping[str, Any], look: str) -> Iterator[str]:
    score = f" {phase['alignment_score']}/10" if phase["alignment_score"] is not None else ""
    failures = phase.get("failures") or ()  # a row that an older version prepared has none
    note = f" - {phase['failure']}" if phase["failure"] and not failures else ""
    if blocker := phase.get("blocked_by"):  # a row that an older version prepared has none
        note = f" - it depends on phase {blocker}, which failed"
    if phase["force_incomplete"]:
        note = f" - incomplete, see {phase['diagnostic_path']}"
    if phase["status"] == WAITS:
        verdict = phase["human_verdict"]
        note = (
            f" - your verdict: {verdict['verdict']}"
            if verdict
            else f" - waits for your verdict: autopilot verdict {key} pass"
        )
    yield f"  phase {key}  {_status(phase):<12}{score}  {phase['name']}{note}"
    promised = phase.get("promised") or {}  # a row that an older version prepared has none
    if line := promised.get("line"):
        yield f"    {line}"
    yield from (f"    {line}" for line in promised.get("planned_lines", ()))
    yield from (f"    {line}" for line in phase.get("packages", ()))
    for failure in failures:
        head, *below = failure["lines"]
        yield f"    does not hold: {head}"
        yield from (f"      {line}" for line in below)
    if failures:
        yield f"    how to repeat it by hand: `autopilot why {key}`"
    if look:
        yield f"    look at it: {look}"
    for part in phase.get("sub_phases", ()):  # a row that an older version prepared has none
        score = f" {part['alignment_score']}/10" if part["alignment_score"] is not None else ""
        note = f" - {part['failure']}" if part["failure"] else ""
        yield f"    part {part['sub_phase_id']}  {_status(part):<12}{score}  {part['name']}{note}"


def _status(phase: Mapping[str, Any]) -> str:
    return str(phase["status"]).replace("_", " ")


def _spent(metrics: Mapping[str, Any]) -> str:
    expected, is_estimate = metrics.get("total_estimated_tokens") or 0, metrics.get("usd_is_estimate", False)
    return "  " + spent_words(metrics["total_tokens_used"], expected, metrics["total_usd"], is_estimate)


def spent_words(tokens: int, expected: int, usd: float, is_estimate: bool) -> str:
    """What was used beside what was expected; money that was worked out from tokens says so."""
    beside = f" ({expected:,} expected)" if expected else ""
    return f"{tokens:,} tokens used{beside}, {money_words(usd, is_estimate)}"


def money_words(usd: float, is_estimate: bool) -> str:
    return f"~{usd:.2f} USD (estimate)" if is_estimate else f"{usd:.2f} USD"


def render_doing(doing: Mapping[str, Any], columns: int) -> str:
    """What one agent is at, what it has used, and for how long; of its activity as much as there is room for."""
    who = f"{doing['agent']} {doing['role']} {doing['task'] or 'phase ' + doing['phase']}"
    used = [f"{doing['tokens']:,} tokens"] if doing["tokens"] else []
    rest = BETWEEN.join((*used, render_time(doing["elapsed_s"])))
    room = max(SHORTEST_ACTIVITY, columns - len(who) - len(rest) - 2 * len(BETWEEN))
    activity = doing["activity"] if len(doing["activity"]) <= room else f"{doing['activity'][: room - 1]}…"
    return BETWEEN.join(part for part in (who, activity, rest) if part)


def render_time(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes:02}m" if hours else f"{minutes}m {seconds:02}s" if minutes else f"{seconds}s"


def line_facts(document: Mapping[str, Any]) -> dict[str, Any]:
    """What of the status document the line needs."""
    kept_of_phase = ("status", "human_verdict")
    phases = {key: {fact: phase[fact] for fact in kept_of_phase} for key, phase in document["phases"].items()}
    wanted = ("run_id", "status", "stopping", "pausing", "total_phases", "current_phase", "current_step", "open_gates")
    issue = document["issue"]
    kept = {"issue": {key: issue[key] for key in ("where", "outcome")}} if issue else {}
    return {"_meta": {key: document["_meta"][key] for key in wanted}, "phases": phases, **kept}


def run_word(meta: Mapping[str, Any], alive: bool) -> str:
    """A run that is recorded as running but that no process drives was interrupted; one asked to stop is stopping."""
    if meta["status"] != "running":
        return str(meta["status"])
    if not alive:
        return INTERRUPTED
    return "stopping" if meta.get("stopping") else "pausing" if meta.get("pausing") else "running"
