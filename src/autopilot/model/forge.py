"""Where work is shown to other people, as the user's settings say. A repository has no say in it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class ForgeKind(StrEnum):
    NONE = "none"  # nothing leaves this machine
    GIT = "git"  # branches are pushed, and that is all
    GLAB = "glab"  # the same by the user's own `glab`
    GITEA = "gitea"  # the same by the HTTP API of Gitea or Forgejo
    GH = "gh"  # and drafts, comments and labels are made by the user's own `gh`


class PlannedIssue(Struct, frozen=True):
    """An issue as a part of a plan. Untrusted text: any user of the forge may have written it."""

    number: int
    title: str
    body: str = ""
    closed: bool = False
    given_up: bool = False  # closed as not planned


class ForgeConfig(Struct, frozen=True):
    kind: str = ForgeKind.NONE.value
    remote: str = "origin"  # a remote of the checkout, or an address
    base: str = ""  # what drafts are to be merged into; "" is the forge's own default branch
    url: str = ""  # of a GitLab, Gitea or Forgejo; of GitLab "" is https://gitlab.com
    token_env: str = "GITEA_TOKEN"  # the variable that holds the token for Gitea or Forgejo
