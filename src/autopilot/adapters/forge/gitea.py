"""Gitea and Forgejo, by their HTTP API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from autopilot.adapters.forge.rest import Answer, Api, Proposal, decoded
from autopilot.ports.forge import ForgeIssue, StatusState

NAME = "Gitea"
PAGE = 50


class _Label(Struct, frozen=True):
    name: str
    id: int = 0


class _Issue(Struct, frozen=True):
    title: str
    body: str | None = None
    labels: tuple[_Label, ...] | None = ()


class _Head(Struct, frozen=True):
    ref: str = ""


class _Pull(Struct, frozen=True):
    number: int
    title: str = ""
    head: _Head = _Head()


class _Repository(Struct, frozen=True):
    default_branch: str


class GiteaDialect:
    mark = "WIP: "

    def __init__(self, root: str, repository: str) -> None:
        """``root``: the address of the server."""
        self._pulls = f"{root.rstrip('/')}/{repository}/pulls/"
        self._place = f"/repos/{'/'.join(quote(part, safe='') for part in repository.split('/'))}"

    def issue(self, number: int) -> str:
        return f"{self._place}/issues/{number}"

    def read_issue(self, content: bytes) -> ForgeIssue:
        found = decoded(content, _Issue, NAME)
        return ForgeIssue(found.title, found.body or "", tuple(label.name for label in found.labels or ()))

    def open_proposals(self, branch: str, page: int) -> str:  # noqa: ARG002 -- it cannot be asked for a branch
        return f"{self._place}/pulls?state=open&limit={PAGE}&page={page}"

    def read_proposals(self, content: bytes, branch: str) -> tuple[tuple[Proposal, ...], bool]:
        """A server may give fewer than it is asked for: only an empty page is the last one."""
        pulls = decoded(content, tuple[_Pull, ...], NAME)
        return tuple(self._proposal(pull) for pull in pulls if pull.head.ref == branch), bool(pulls)

    def read_proposal(self, content: bytes) -> Proposal:
        return self._proposal(decoded(content, _Pull, NAME))

    def repository(self) -> str:
        return self._place

    def read_default_branch(self, content: bytes) -> str:
        return decoded(content, _Repository, NAME).default_branch

    def create(self, branch: str, base: str, title: str, body: str) -> tuple[str, Mapping[str, Any]]:
        return f"{self._place}/pulls", {"head": branch, "base": base, "title": title, "body": body}

    def update(self, number: int, title: str, body: str) -> tuple[str, str, Mapping[str, Any]]:
        return "PATCH", f"{self._place}/pulls/{number}", {"title": title, "body": body}

    def comment(self, number: int, body: str) -> tuple[str, Mapping[str, Any]]:
        return f"{self._place}/issues/{number}/comments", {"body": body}

    def number_of(self, url: str) -> int | None:
        match = re.fullmatch(r"[0-9]{1,9}", url.removeprefix(self._pulls))
        return int(match[0]) if match else None

    def add_label(self, api: Api, number: int, label: str) -> Answer:
        """By its id: older servers take no names."""
        for page in range(1, 11):
            answer = api.ask("GET", f"{self._place}/labels?limit={PAGE}&page={page}")
            if answer.status != 200:
                return answer
            labels = decoded(answer.content, tuple[_Label, ...], NAME)
            found = [known.id for known in labels if known.name == label]
            if found:
                return api.ask("POST", f"{self._place}/issues/{number}/labels", {"labels": found})
            if not labels:
                break
        return Answer(404, complaint=f"the repository has no label {label}")

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str) -> tuple[str, Mapping[str, Any]]:
        fields = {"state": state.value, "context": name, "description": text, **({"target_url": url} if url else {})}
        return f"{self._place}/statuses/{quote(commit, safe='')}", fields

    def _proposal(self, pull: _Pull) -> Proposal:
        """Its address is ours to say: a server behind a proxy may name itself otherwise."""
        return Proposal(pull.number, f"{self._pulls}{pull.number}", pull.title)
