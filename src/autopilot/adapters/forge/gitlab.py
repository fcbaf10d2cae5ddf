"""GitLab, by the user's own `glab`: it knows the tokens, and sends them to their own hosts alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from autopilot.adapters.forge.program import find_program, run_program
from autopilot.adapters.forge.remotes import git_environment
from autopilot.adapters.forge.rest import Answer, Api, Proposal, decoded
from autopilot.ports.forge import ForgeIssue, StatusState

NAME = "GitLab"
TIMEOUT_S = 60.0
PAGE = 20
MOST = 4 << 20
_QUIET = {"NO_PROMPT": "1", "NO_COLOR": "1", "GLAB_CHECK_UPDATE": "false", "GLAB_SEND_TELEMETRY": "false"}
_LOUD = ("DEBUG", "FORCE_TTY", "GITLAB_HOST", "GL_HOST", "GITLAB_URI", "REMOTE_ALIAS")
_STATUS = re.compile(r"\(HTTP ([1-5][0-9]{2})\)|HTTP ([1-5][0-9]{2})|\b([45][0-9]{2}) [A-Z{]")


class _Issue(Struct, frozen=True):
    title: str
    description: str | None = None
    labels: tuple[str, ...] = ()


class _Request(Struct, frozen=True):
    iid: int
    title: str = ""
    source_branch: str = ""


class _Project(Struct, frozen=True):
    default_branch: str


class Glab:
    """Asks one host through the user's own program."""

    name = NAME

    def __init__(self, host: str, vault: Path, environment: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> None:
        """``vault``: our own repository, where it runs: in the checkout it would obey the checkout's configuration."""
        self._host = host
        self._vault = vault
        self._environment = {k: v for k, v in environment.items() if k not in _LOUD} | _QUIET
        self._timeout_s = timeout_s

    def check(self) -> None:
        self._program()

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        arguments = [self._program(), "api", "--hostname", self._host, "--method", method, path.removeprefix("/")]
        if body is not None:
            arguments += ["--header", "Content-Type: application/json", "--input", "-"]
        environment = git_environment(self._environment, self._vault, {})
        stdin = json.dumps(body) if body is not None else ""
        ended = run_program(arguments, self._vault, environment, self._timeout_s, stdin)
        if ended.code == 0:
            return Answer(200, ended.output.encode()[:MOST])
        found = _STATUS.search(ended.complaint[:2_000])
        status = int(next(filter(None, found.groups()))) if found else 500
        return Answer(status, b"", next(iter(ended.complaint.splitlines()), f"glab ended with status {ended.code}"))

    def _program(self) -> str:
        return find_program("glab", self._environment, 'Install it, or set kind = "git" below [forge].')


class GitLabDialect:
    mark = "Draft: "

    def __init__(self, root: str, repository: str) -> None:
        self._requests = f"{root.rstrip('/')}/{repository}/-/merge_requests/"
        self._place = f"/projects/{quote(repository, safe='')}"

    def issue(self, number: int) -> str:
        return f"{self._place}/issues/{number}"

    def read_issue(self, content: bytes) -> ForgeIssue:
        found = decoded(content, _Issue, NAME)
        return ForgeIssue(found.title, found.description or "", found.labels)

    def open_proposals(self, branch: str, page: int) -> str:
        named = quote(branch, safe="")
        return f"{self._place}/merge_requests?state=opened&source_branch={named}&per_page={PAGE}&page={page}"

    def read_proposals(self, content: bytes, branch: str) -> tuple[tuple[Proposal, ...], bool]:
        found = decoded(content, tuple[_Request, ...], NAME)
        return tuple(self._proposal(request) for request in found if request.source_branch == branch), bool(found)

    def read_proposal(self, content: bytes) -> Proposal:
        return self._proposal(decoded(content, _Request, NAME))

    def repository(self) -> str:
        return self._place

    def read_default_branch(self, content: bytes) -> str:
        return decoded(content, _Project, NAME).default_branch

    def create(self, branch: str, base: str, title: str, body: str) -> tuple[str, Mapping[str, Any]]:
        fields = {"source_branch": branch, "target_branch": base, "title": title, "description": body}
        return f"{self._place}/merge_requests", fields

    def update(self, number: int, title: str, body: str) -> tuple[str, str, Mapping[str, Any]]:
        return "PUT", f"{self._place}/merge_requests/{number}", {"title": title, "description": body}

    def comment(self, number: int, body: str) -> tuple[str, Mapping[str, Any]]:
        return f"{self._place}/merge_requests/{number}/notes", {"body": body}

    def number_of(self, url: str) -> int | None:
        match = re.fullmatch(r"[0-9]{1,9}", url.removeprefix(self._requests))
        return int(match[0]) if match else None

    def add_label(self, api: Api, number: int, label: str) -> Answer:
        return api.ask("PUT", self.issue(number), {"add_labels": label})

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str) -> tuple[str, Mapping[str, Any]]:
        word = "failed" if state is StatusState.FAILURE else state.value
        fields = {"state": word, "name": name, "description": text, **({"target_url": url} if url else {})}
        return f"{self._place}/statuses/{quote(commit, safe='')}", fields

    def _proposal(self, request: _Request) -> Proposal:
        return Proposal(request.iid, f"{self._requests}{request.iid}", request.title)
