"""The project's commands as a run would find them before any work: one that never sees green can prove nothing."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.api.command_trials import Progress, Trial, try_configured
from autopilot.api.finding import Finding
from autopilot.engine.inputs import CONFIG, read_config, settle_policy
from autopilot.model.errors import AutopilotError
from autopilot.model.policy import Policy
from autopilot.ports.bundle import Ports

_AGAIN = f"run it by hand and correct what it says, or write another command into {CONFIG}"


def try_baseline(ports: Ports, policy: Policy, progress: Progress) -> Iterator[Finding]:
    commit = ports.checkout.head()
    try:
        facts, config = ports.checkout.facts(), read_config(ports.checkout)
        if not commit or facts.refusals:
            return
        policy, _ = settle_policy(policy, config, facts, ports.checkout)
        trials = try_configured(ports, commit, policy.commands, policy.timeouts, progress)
    except AutopilotError as error:
        yield Finding("baseline", "problem", str(error), error.hint)
        return
    yield from map(_describe, trials)


def _describe(trial: Trial) -> Finding:
    detail = f"{trial.check}: `{trial.command}` {trial.result} in {trial.seconds:.1f} s"
    if trial.result == "worked":
        return Finding("baseline", "ok", detail)
    printed = trial.detail.splitlines()
    # The first line names an error where one does, the last sums it up.
    detail = f"{detail}: {'; '.join(dict.fromkeys((printed[0], printed[-1])))}" if printed else detail
    match trial.result:
        case "tests failed" | "has findings":
            remedy = "correct them first, or go on: a run compares with what was red before and accepts it"
            return Finding("baseline", "warning", detail, remedy)
        case "ran no test":
            return Finding("baseline", "warning", detail, f"write the command that runs your tests into {CONFIG}")
        case _ if trial.check in ("setup", "test"):
            return Finding("baseline", "problem", detail, _AGAIN)
        case _:
            remedy = f"correct what it says, or write null for {trial.check} into {CONFIG}"
            return Finding("baseline", "warning", detail, remedy)
