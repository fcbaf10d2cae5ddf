"""HTML that cannot be broken out of: whatever is not markup by type is text, and is escaped."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from urllib.parse import quote

from autopilot.model.secrecy.terminal import strip_controls

VOID = frozenset({"meta", "br"})
LONGEST = 4000
PNG = b"\x89PNG\r\n\x1a\n"


class Markup(str):
    """HTML made by this module alone; every other text is escaped."""

    __slots__ = ()


def text(plain: str) -> Markup:
    """Words of agents, users and files: no tag, no control character, no end."""
    whole = strip_controls(plain).encode("utf-8", "replace").decode()
    shown = whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}…"
    return Markup(escape(shown, quote=True))


def el(name: str, /, *children: str, **attributes: str | float) -> Markup:
    """An element. Of an attribute's name a trailing underscore is dropped and the others become hyphens."""
    named = "".join(f' {_name(key)}="{text(str(value))}"' for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{named}>")
    return Markup(f"<{name}{named}>{join(children)}</{name}>")


def join(pieces: tuple[str, ...] | list[str], between: str = "") -> Markup:
    return Markup(between.join(piece if isinstance(piece, Markup) else text(piece) for piece in pieces))


def link_to(path: str, root: str, shown: str = "") -> Markup:
    """A file of the checkout. It begins with the way there, so it is a path whatever the name looks like."""
    return el("a", shown or path, href=f"{quote(root)}/{quote(path)}")


def picture(png: bytes, described: str) -> Markup:
    """Inside of the page, so that it can be sent around; what is no PNG is not shown."""
    if not png.startswith(PNG):
        return el("span", f"{described}: not a picture")
    content = b64encode(png).decode()
    return Markup(f'<img alt="{text(described)}" src="data:image/png;base64,{content}">')


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
