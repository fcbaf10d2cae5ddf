"""The facts for an honest reply: the files of the context folder, and the clone as git shows it."""

# Paths are plain strings here because pathlib alone would add a sixth to the start-up time.
# ruff: noqa: PTH103, PTH112, PTH113, PTH118, PTH120, PTH123, PTH208

from __future__ import annotations

import json
import os
import re

from autopilot.simulation.honest.plain import Any, Record

HUNK = re.compile(r"^@@ -\S+ \+(\d+)", re.MULTILINE)

Reply = dict[str, Any]


class Context(Record):
    task: str
    before: str  # the commit that was current when the call began
    facts: Reply
    observations: list[Reply]
    plan: str
    scripts: dict[str, str]
    verification: str  # the verifier's report, for a judge who has given its own findings
    findings: Any  # the judge's own, or the findings of an issue
    sufficiency: Reply  # how well a phase is described, for a questioner
    discussion: Reply | None  # the discussion with the user, once it has begun
    examples: list[Reply]  # criteria that are one example, each with another input, for a planner

    @property
    def criteria(self) -> list[Reply]:
        return list(self.facts.get("criteria", []))

    @property
    def to_read(self) -> list[Reply]:
        """What the owner asks for and no check and no person answers for."""
        return [item for item in self.facts.get("promises", []) if not item["checks"] and not item["person"]]

    @property
    def list_findings(self) -> list[Reply]:
        return list(self.findings) if isinstance(self.findings, list) else []

    @property
    def task_facts(self) -> Reply:
        return dict(self.facts.get("task") or {})


def read_context(folder: str, task: str, before: str) -> Context:
    plans = os.path.join(folder, "plan")
    names = sorted(os.listdir(plans)) if os.path.isdir(plans) else []
    written = [name for name in names if "PLAN" in name.removesuffix(".md") and name.endswith(".md")]
    return Context(
        task=task,
        before=before,
        facts=_read(f"{folder}/facts.json", {}),
        observations=_read(f"{folder}/observations.json", []),
        plan="\n".join(read_text(os.path.join(plans, name)) for name in written),
        scripts=_read(f"{plans}/scripts.json", {}),
        verification=read_text(f"{folder}/VERIFICATION.md"),
        findings=_read(f"{folder}/findings.json", None),
        sufficiency=_read(f"{folder}/sufficiency.json", {}),
        discussion=_read(f"{folder}/talk.json", None),
        examples=_read(f"{folder}/examples.json", []),
    )


def read_text(path: str) -> str:
    """What the file holds; "" when there is none."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def write_text(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def find_changed_lines() -> dict[str, int]:
    """The first changed line of every file that the last commit changed."""
    diff = git("diff", "--no-ext-diff", "--unified=0", "HEAD~1", "HEAD")
    lines = {}
    for part in diff.split("\n+++ b/")[1:]:
        if hunk := HUNK.search(part):
            lines[part.split("\n", 1)[0].rstrip("\t")] = max(1, int(hunk[1]))
    # Without changes, the existing files are cited.
    return lines or {path: 1 for path in git("ls-files").splitlines() if not path.startswith(".planning/")}


def commits_since(before: str) -> list[str]:
    return git("rev-list", f"{before}..HEAD").split() if before else []


def git(*arguments: str) -> str:
    """The output of git; "" when it fails, for example without a commit."""
    # Not by subprocess: to import it takes longer than git itself.
    reading, writing = os.pipe()
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, writing, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    with open(reading, "rb") as output:  # a descriptor
        try:
            pid = os.posix_spawnp("git", ["git", *arguments], os.environ, file_actions=files)
        except OSError:
            return ""
        finally:
            os.close(writing)
        text = output.read()
    return text.decode(errors="replace") if os.waitpid(pid, 0)[1] == 0 else ""


def _read(path: str, default: Any) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return default
