"""What is wrong with what was seen, by rule."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    CRITICAL = "critical"  # the route cannot be used
    MAJOR = "major"  # something is missing, broken or out of place
    MINOR = "minor"  # cosmetic

    @property
    def is_serious(self) -> bool:
        return self is not Severity.MINOR


class Kind(StrEnum):
    """As the sources name the types of visual issues, and what they leave open."""

    LAYOUT = "layout"
    RENDERING = "rendering"
    REGRESSION = "regression"
    ACCESSIBILITY = "accessibility"
    BEHAVIOUR = "behaviour"  # errors, failed requests, broken links


class Cause(StrEnum):
    """The rule that found it; with the shot and the detail, this is what a finding is known again by."""

    UNREACHED = "unreached"
    STATUS = "status"
    BLANK = "blank"
    EXCEPTION = "exception"
    CONSOLE = "console"
    REQUEST = "request"
    IMAGE = "image"
    OVERFLOW = "overflow"
    LINK = "link"
    AXE = "axe"
    PICTURE = "picture"
    BOXES = "boxes"
    EXIT = "exit"

    @property
    def is_change(self) -> bool:
        """Only by comparison: whether it is wrong, a person says. All others are wrong whatever was intended."""
        return self in (Cause.PICTURE, Cause.BOXES)


class Finding(Struct, frozen=True):
    shot: str
    cause: Cause
    kind: Kind
    severity: Severity
    text: str
    where: str = ""
    is_known: bool = False  # the baseline has it too


class Compared(Struct, frozen=True):
    """One shot beside its baseline."""

    shot: str
    picture: str
    state: State
    before: str = ""  # digest of the baseline's picture
    difference: str = ""  # digest of the picture that shows what differs
    changed: int = 0  # pixels
    moving: int = 0  # pixels by which two pictures of it differ
    share: float = 0.0


class State(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    NEW = "new"  # there is no baseline
    LOST = "lost"  # its baseline is pinned, and the picture is gone
    UNSTEADY = "unsteady"  # its two pictures differ: not compared
