"""What the scripted agents of a scenario do and say. Claims are always the same, whether they are true or not."""

from __future__ import annotations

from typing import Any

from tests.scenario.kit.plot import Plot, part_text, plan_files

Call = dict[str, Any]


def honest_calls(plot: Plot) -> list[Call]:
    phases = plot.numbers
    calls = [] if plot.planned else [plan_call(plot, phase) for phase in phases]
    return calls + [work(task) for phase in phases for task in plot.task_ids(phase)]


def plan_call(plot: Plot, phase: int) -> Call:
    actions: list[Call] = [{"write": path, "text": text} for path, text in plan_files(plot, phase).items()]
    actions += [{"git": ["add", "-f", ".planning"]}, {"git": ["commit", "-q", "-m", f"plan {phase}"]}]
    claim = {"plans_created": 1, "waves": plot.tasks, "total_tasks": plot.tasks, "complexity": "simple"}
    reply = {**claim, "dependencies": [], "concerns": []}
    return {"role": "planner", "phase": str(phase), "do": actions, "reply": reply, "usage": usage()}


def work(task: str, *, role: str = "executor", text: str | None = None) -> Call:
    """Write the task's part, commit it, claim that all is done."""
    part = part_text(task) if text is None else text
    return claim(task, {"write": f"part-{task}.sh", "text": part}, *commit_all(task), role=role)


def claim(task: str, *actions: Call, role: str = "executor") -> Call:
    """Whatever was done: the claim is always the same."""
    said = executor_claim(task) if role == "executor" else debugger_claim()
    phase = str(int(task.split("-")[0]))
    return {"role": role, "phase": phase, "task": task, "do": list(actions), "reply": said, "usage": usage()}


def once_more(task: str = "") -> Call:
    """A debugger that always changes something, and never what matters; of one task, or of whatever it is asked."""
    part = f"part-{task or '01-01'}.sh"
    call = claim(task or "01-01", {"run": f"echo '# once more' >> {part}"}, *commit_all("again"), role="debugger")
    return call if task else {key: value for key, value in call.items() if key != "task"}


def commit_all(subject: str) -> tuple[Call, ...]:
    return {"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", f"{subject} done"]}


def hang(role: str, phase: int | None = None) -> Call:
    call: Call = {"role": role, "do": [{"hang": True}]}
    return call if phase is None else {**call, "phase": str(phase)}


def executor_claim(task: str) -> Call:
    evidence = {"task_id": task, "criteria_met": ["all of them"], "commands_run": ["tests -> OK"]}
    done = {"tasks_completed": "1/1", "tasks_failed": "0/1", "commit_shas": ["HEAD"]}
    return {**done, "evidence": [evidence], "deviations": [], "confidence": 9.5}


def debugger_claim() -> Call:
    said = {"fixed": True, "changes": ["mended"], "commits": ["HEAD"]}
    return {**said, "remaining_issues": [], "failure_categories": []}


def usage(tokens: int = 1000) -> dict[str, int]:
    return {"tokens_in": tokens - 100, "tokens_out": 100}
