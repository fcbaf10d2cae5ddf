"""GitHub, or whatever the user's own `gh` is signed in to, asked through it about the remotes of the checkout."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.program import Ended, find_program, run_program
from autopilot.adapters.forge.remotes import git_environment, read_remotes
from autopilot.model.errors import Unavailable
from autopilot.model.forge import PlannedIssue
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.forge import ForgeIssue, StatusState

TIMEOUT_S = 60.0
LONGEST_BODY = 65_000  # GitHub takes 65,536 characters
LONGEST_TITLE = 250
LONGEST_DESCRIPTION = 140  # of a status
MOST_ISSUES = 500  # that are listed as a plan
CUT = "\n\n… cut here: the whole text is in the branch."
HINT = "Try `gh auth status` and `gh repo view` in your checkout."
# It must neither ask nor page nor colour, whatever the user's terminal is like.
_QUIET = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1", "CLICOLOR_FORCE": "0"}
_LOUD = ("GH_FORCE_TTY", "GH_DEBUG", "DEBUG")
_NO_ISSUE = re.compile(r"could not resolve to an? issue", re.IGNORECASE)
_NO_DRAFT = re.compile(r"no (?:open )?pull requests? found", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+")


class _Label(Struct, frozen=True):
    name: str


class _Issue(Struct, frozen=True):
    title: str
    body: str | None = None
    labels: tuple[_Label, ...] = ()


class _Pull(Struct, frozen=True):
    url: str
    state: str = ""


class _Planned(Struct, frozen=True, rename="camel"):
    number: int
    title: str
    body: str | None = None
    state: str = ""
    state_reason: str | None = None

    def read(self) -> PlannedIssue:
        closed = self.state.upper() == "CLOSED"
        given_up = closed and (self.state_reason or "").upper() in ("NOT_PLANNED", "DUPLICATE")
        return PlannedIssue(self.number, self.title, self.body or "", closed, given_up)


_Answer = TypeVar("_Answer")


class GhForge:
    def __init__(
        self,
        remote: BareForge,
        repository: Path,
        vault: Path,
        environment: Mapping[str, str],
        redactor: Redactor,
        base: str = "",
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """``remote``: where branches go. ``vault``: our own repository, where `gh` runs.

        ``base``: what a draft is merged into when the caller names none.
        """
        self._remote = remote
        self._repository = repository
        self._vault = vault
        self._environment = {k: v for k, v in environment.items() if k not in _LOUD} | _QUIET
        self._redactor = redactor
        self._base = base
        self._timeout_s = timeout_s

    def check(self) -> None:
        self._program()
        self._remote.check()

    def issue(self, number: int) -> ForgeIssue | None:
        ended = self._ask("issue", "view", str(number), "--json", "title,body,labels")
        if ended.code != 0 and _NO_ISSUE.search(ended.complaint):
            return None
        found = _decoded(self._good("issue view", ended), _Issue, "issue view")
        return ForgeIssue(found.title, found.body or "", tuple(label.name for label in found.labels))

    def planned(self, milestone: str) -> tuple[PlannedIssue, ...]:
        of = ("--milestone", milestone, "--state", "all") if milestone else ("--state", "open")
        fields = ("--limit", str(MOST_ISSUES + 1), "--json", "number,title,body,state,stateReason")
        ended = self._good("issue list", self._ask("issue", "list", *of, *fields))
        found = _decoded(ended, tuple[_Planned, ...], "issue list")
        if len(found) > MOST_ISSUES:
            raise Unavailable(f"there are more than {MOST_ISSUES} issues", "Name a milestone: --milestone NAME.")
        return tuple(sorted((issue.read() for issue in found), key=lambda issue: issue.number))

    def push(self, commit: str, branch: str) -> str:
        return self._remote.push(commit, branch)

    def draft(self, branch: str, base: str, title: str, body: str) -> str:
        title = " ".join(self._redactor.clean(title).split())[:LONGEST_TITLE]
        text = ("--title", title, "--body-file", "-")
        if url := self._open(branch):
            self._good("pr edit", self._ask("pr", "edit", url, *text, stdin=self._body(body)))
            return url
        base = base or self._base
        onto = ("--base", base) if base else ()
        made = self._ask("pr", "create", "--draft", "--head", branch, *onto, *text, stdin=self._body(body))
        printed = _ADDRESS.findall(self._good("pr create", made).output)
        url = printed[-1] if printed else self._open(branch)
        if not url:
            raise Unavailable(f"gh pr create named no pull request for {branch}", HINT)
        return url

    def comment(self, url: str, body: str) -> None:
        if url:
            self._good("pr comment", self._ask("pr", "comment", url, "--body-file", "-", stdin=self._body(body)))

    def label(self, number: int, label: str) -> None:
        ended = self._ask("issue", "edit", str(number), "--add-label", label)
        self._good("issue edit", ended, f"Make the label if there is none: gh label create {label}")

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str = "") -> None:
        shown = " ".join(self._redactor.clean(text).split())[:LONGEST_DESCRIPTION]
        fields = {"state": state.value, "context": name, "description": shown, **({"target_url": url} if url else {})}
        place = f"repos/{{owner}}/{{repo}}/statuses/{commit}"  # filled in by gh
        asked = self._ask("api", "--method", "POST", place, "--input", "-", stdin=json.dumps(fields))
        self._good("api statuses", asked)

    def _open(self, branch: str) -> str:
        """The open pull request of a branch, or ""; one that was closed or merged is history."""
        ended = self._ask("pr", "view", branch, "--json", "url,state")
        if ended.code != 0 and _NO_DRAFT.search(ended.complaint):
            return ""
        found = _decoded(self._good("pr view", ended), _Pull, "pr view")
        return found.url if found.state.upper() == "OPEN" else ""

    def _body(self, body: str) -> str:
        """It leaves this machine, so known secrets do not."""
        clean = self._redactor.clean(body)
        return clean if len(clean) <= LONGEST_BODY else clean[: LONGEST_BODY - len(CUT)] + CUT

    def _program(self) -> str:
        return find_program("gh", self._environment, 'Install it, or set kind = "git" below [forge].')

    def _ask(self, *arguments: str, stdin: str = "") -> Ended:
        program = self._program()
        # It starts git where it stands. In the checkout that git would obey the checkout's configuration.
        remotes = read_remotes(self._repository, self._vault)
        environment = git_environment(self._environment, self._vault, remotes)
        return run_program((program, *arguments), self._vault, environment, self._timeout_s, stdin)

    def _good(self, asked: str, ended: Ended, hint: str = HINT) -> Ended:
        if ended.code == 0:
            return ended
        message = next(iter(ended.complaint.splitlines()), f"it ended with status {ended.code}")
        # By this status alone it tells that nobody is signed in.
        hint = "Sign in: gh auth login" if ended.code == 4 else hint
        raise Unavailable(f"gh {asked} failed: {self._redactor.clean(message)}", hint)


def _decoded(ended: Ended, kind: type[_Answer], asked: str) -> _Answer:
    try:
        return msgspec.json.decode(ended.output, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Unavailable(f"gh {asked} printed an answer that Autopilot cannot read", "Update gh.") from error
