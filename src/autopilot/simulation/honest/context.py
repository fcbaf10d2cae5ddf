"""The facts for an honest reply: the files of the context folder, and the clone as git shows it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

HUNK = re.compile(r"^@@ -\S+ \+(\d+)", re.MULTILINE)

Reply = dict[str, Any]


class Context(NamedTuple):
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


def read_context(folder: Path, task: str, before: str) -> Context:
    plans = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("plan/*PLAN*.md"))]
    report = folder / "VERIFICATION.md"
    return Context(
        task=task,
        before=before,
        facts=_read(folder / "facts.json", {}),
        observations=_read(folder / "observations.json", []),
        plan="\n".join(plans),
        scripts=_read(folder / "plan/scripts.json", {}),
        verification=report.read_text(encoding="utf-8", errors="replace") if report.is_file() else "",
        findings=_read(folder / "findings.json", None),
        sufficiency=_read(folder / "sufficiency.json", {}),
        discussion=_read(folder / "talk.json", None),
    )


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
    with open(reading, "rb") as output:  # noqa: PTH123 -- a descriptor
        try:
            pid = os.posix_spawnp("git", ["git", *arguments], os.environ, file_actions=files)
        except OSError:
            return ""
        finally:
            os.close(writing)
        text = output.read()
    return text.decode(errors="replace") if os.waitpid(pid, 0)[1] == 0 else ""


def _read(path: Path, default: Any) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return default
