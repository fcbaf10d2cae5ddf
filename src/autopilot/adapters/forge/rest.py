"""A forge that is asked for resources: what is asked is the same everywhere, and each forge spells it its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.none import LIST
from autopilot.model.errors import Unavailable
from autopilot.model.forge import PlannedIssue
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.forge import ForgeIssue, StatusState

LONGEST_BODY = 60_000
LONGEST_TITLE = 240
LONGEST_DESCRIPTION = 140  # of a status: GitHub takes as many, GitLab and Gitea 255
CUT = "\n\n… cut here: the whole text is in the branch."
GONE = 404


T = TypeVar("T")


class Answer(Struct, frozen=True):
    status: int  # of HTTP
    content: bytes = b""
    complaint: str = ""  # what it said of a failure, untrusted


class Api(Protocol):
    """One host, with the user's own token for it. Whatever could not be asked is Unavailable."""

    name: str

    def check(self) -> None: ...

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer: ...


class Proposal(Struct, frozen=True):
    """An open pull or merge request, as far as it matters here."""

    number: int
    url: str
    title: str


class Dialect(Protocol):
    """How a forge spells what it is asked. Paths begin behind the API's own root."""

    mark: str  # what begins the title of a draft

    def issue(self, number: int) -> str: ...

    def read_issue(self, content: bytes) -> ForgeIssue: ...

    def open_proposals(self, branch: str, page: int) -> str: ...

    def read_proposals(self, content: bytes, branch: str) -> tuple[tuple[Proposal, ...], bool]:
        """Those of this branch, and whether there may be more on the next page."""

    def read_proposal(self, content: bytes) -> Proposal: ...

    def repository(self) -> str: ...

    def read_default_branch(self, content: bytes) -> str: ...

    def create(self, branch: str, base: str, title: str, body: str) -> tuple[str, Mapping[str, Any]]: ...

    def update(self, number: int, title: str, body: str) -> tuple[str, str, Mapping[str, Any]]:
        """Method, path and body."""

    def comment(self, number: int, body: str) -> tuple[str, Mapping[str, Any]]: ...

    def number_of(self, url: str) -> int | None:
        """Of a proposal by its address; None for any other address."""

    def add_label(self, api: Api, number: int, label: str) -> Answer: ...

    def status(
        self, commit: str, state: StatusState, name: str, text: str, url: str
    ) -> tuple[str, Mapping[str, Any]]: ...


class RestForge:
    def __init__(
        self, remote: BareForge, api: Api, find: Callable[[], Dialect], redactor: Redactor, base: str = ""
    ) -> None:
        """``remote``: where branches go. ``find``: how the forge spells it for the repository of that remote.

        ``base``: what a draft is merged into when the caller names none.
        """
        self._remote = remote
        self._api = api
        self._find = find
        self._redactor = redactor
        self._base = base

    def check(self) -> None:
        self._remote.check()
        self._api.check()
        self._find()

    def issue(self, number: int) -> ForgeIssue | None:
        dialect = self._find()
        answer = self._api.ask("GET", dialect.issue(number))
        return None if answer.status == GONE else dialect.read_issue(self._good("issue", answer))

    def planned(self, milestone: str) -> tuple[PlannedIssue, ...]:  # noqa: ARG002
        raise Unavailable(f"the issues of {self._api.name} cannot be listed yet", LIST)

    def push(self, commit: str, branch: str) -> str:
        return self._remote.push(commit, branch)

    def draft(self, branch: str, base: str, title: str, body: str) -> str:
        title = " ".join(self._redactor.clean(title).split())[:LONGEST_TITLE]
        text, dialect = self._body(body), self._find()
        mark = dialect.mark
        if known := self._open(branch):
            # A person may have declared it ready; that is not taken back.
            kept = f"{mark}{title}" if known.title.startswith(mark) else title
            method, path, fields = dialect.update(known.number, kept, text)
            self._good("update", self._api.ask(method, path, fields))
            return known.url
        base = base or self._base or self._default_branch()
        path, fields = dialect.create(branch, base, f"{mark}{title}", text)
        return dialect.read_proposal(self._good("create", self._api.ask("POST", path, fields))).url

    def comment(self, url: str, body: str) -> None:
        if not url:
            return
        dialect = self._find()
        number = dialect.number_of(url)
        if number is None:
            hint = "It may have been opened on another forge: comment on it there."
            raise Unavailable(f"{self._api.name} has no pull request at the address that is recorded", hint)
        path, fields = dialect.comment(number, self._body(body))
        self._good("comment", self._api.ask("POST", path, fields))

    def label(self, number: int, label: str) -> None:
        self._good("label", self._find().add_label(self._api, number, label), f"Make the label {label} there.")

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str = "") -> None:
        shown = " ".join(self._redactor.clean(text).split())[:LONGEST_DESCRIPTION]
        path, fields = self._find().status(commit, state, name, shown, url)
        self._good("status", self._api.ask("POST", path, fields))

    def _open(self, branch: str) -> Proposal | None:
        dialect = self._find()
        for page in range(1, 11):
            answer = self._api.ask("GET", dialect.open_proposals(branch, page))
            found, has_more = dialect.read_proposals(self._good("list", answer), branch)
            if found or not has_more:
                return found[0] if found else None
        return None

    def _default_branch(self) -> str:
        dialect = self._find()
        answer = self._api.ask("GET", dialect.repository())
        return dialect.read_default_branch(self._good("repository", answer))

    def _body(self, body: str) -> str:
        """It leaves this machine, so known secrets do not."""
        clean = self._redactor.clean(body)
        return clean if len(clean) <= LONGEST_BODY else clean[: LONGEST_BODY - len(CUT)] + CUT

    def _good(self, asked: str, answer: Answer, hint: str = "") -> bytes:
        if 200 <= answer.status < 300:
            return answer.content
        hints = {
            401: "Your token is not accepted: make a new one.",
            403: "Your token may not do this: give it the right.",
        }
        hint = hint if answer.status == GONE and hint else hints.get(answer.status, "Try it in your browser.")
        complaint = f": {' '.join(self._redactor.clean(answer.complaint).split())[:200]}" if answer.complaint else ""
        raise Unavailable(f"{self._api.name} refused ({asked}) with status {answer.status}{complaint}", hint)


def decoded(content: bytes, kind: type[T], name: str) -> T:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Unavailable(f"{name} sent an answer that Autopilot cannot read", "Check its version.") from error
