"""Where work is shown to other people, as the user's settings say. A repository has no say in it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class ForgeKind(StrEnum):
    NONE = "none"  # nothing leaves this machine
    GIT = "git"  # branches are pushed, and that is all
    GH = "gh"  # and drafts, comments and labels are made by the user's own `gh`


class ForgeConfig(Struct, frozen=True):
    kind: str = ForgeKind.NONE.value
    remote: str = "origin"  # a remote of the checkout, or an address
    base: str = ""  # what drafts are to be merged into; "" is the forge's own default branch
