"""What a browser showed of one picture: observed by our program beside it, never told by the app or an agent."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.visual.subject import Region


class Box(Struct, frozen=True):
    """Where an element lies on the page."""

    where: str  # a CSS path
    x: int
    y: int
    width: int
    height: int
    text: str = ""


class Request(Struct, frozen=True):
    url: str
    problem: str  # its HTTP status, or why it failed
    kind: str = ""  # what the browser wanted it for: script, image, …


class Violation(Struct, frozen=True):
    """A rule of axe-core that does not hold."""

    rule: str
    impact: str
    help: str
    where: tuple[str, ...] = ()


class Facts(Struct, frozen=True):
    unreached: str = ""  # why the page could not be opened
    status: int = 0  # of its HTTP answer; of a program, how it ended
    is_blank: bool = False
    errors: tuple[str, ...] = ()  # exceptions that nothing caught
    console: tuple[str, ...] = ()  # what the page printed as an error
    failed: tuple[Request, ...] = ()
    blocked: tuple[str, ...] = ()  # hosts outside of the sandbox that it asked for
    images: tuple[str, ...] = ()  # elements whose image is not there
    overflow: tuple[str, ...] = ()  # elements that stick out to the right
    links: tuple[Request, ...] = ()  # same-origin links that lead nowhere
    violations: tuple[Violation, ...] = ()
    boxes: tuple[Box, ...] = ()
    ignored: tuple[Region, ...] = ()  # where the elements lie that may differ
    text: tuple[str, ...] = ()  # the rows of a terminal


class Seen(Struct, frozen=True):
    """One shot as it was taken: twice, since only a page that stands still can be compared."""

    key: str
    picture: str  # digest of the PNG
    facts: Facts
    moving: int = 0  # pixels by which the two pictures differ; more than 0 is unsteady
