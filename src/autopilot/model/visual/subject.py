"""What is to be looked at: ``project.visual_testing`` of the configuration."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Scheme(StrEnum):
    """Which colours the reader of a page prefers."""

    LIGHT = "light"
    DARK = "dark"


class Viewport(Struct, frozen=True):
    width: int = 1280
    height: int = 720

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


class Region(Struct, frozen=True):
    """A part of a picture, in pixels."""

    x: int
    y: int
    width: int
    height: int


class Route(Struct, frozen=True):
    """A page of the app, or a program at a terminal."""

    name: str
    path: str = ""  # appended to the base URL
    command: str = ""  # instead of a page: run at a pseudo-terminal
    keys: str = ""  # typed to that command
    wait_ms: int = 0  # after the page has become quiet
    ignore: tuple[str, ...] = ()  # CSS selectors of elements that may differ
    regions: tuple[Region, ...] = ()  # that may differ

    @property
    def place(self) -> str:
        return self.path or f"`{self.command}`"


class VisualTesting(Struct, frozen=True):
    enabled: bool = False
    launch_command: str = ""
    ready_s: float = 30.0
    base_url: str = ""
    routes: tuple[Route, ...] = ()
    viewports: tuple[Viewport, ...] = (Viewport(),)
    schemes: tuple[Scheme, ...] = (Scheme.LIGHT,)
    ignore: tuple[str, ...] = ()  # on every route

    def shots(self) -> tuple[Shot, ...]:
        """A program at a terminal has a size of its own, and knows no scheme."""
        pages = (route for route in self.routes if route.path)
        terminals = (route for route in self.routes if not route.path)
        return (
            *(Shot(r.name, v, s) for r in pages for v in self.viewports for s in self.schemes),
            *(Shot(r.name, TERMINAL, Scheme.DARK) for r in terminals),
        )


TERMINAL = Viewport(80, 24)  # columns and rows


class Shot(Struct, frozen=True):
    """One picture that is to be taken of a route."""

    route: str
    viewport: Viewport
    scheme: Scheme

    @property
    def key(self) -> str:
        return f"{self.route}-{self.viewport}-{self.scheme}"
