"""Markdown as HTML in which foreign text is only text: no HTML of its own, nothing that is fetched, no way out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from autopilot.model.secrecy.terminal import strip_controls

LONGEST = 200_000  # characters of one document
# A link stays as it was written: its reader sees where it would lead, and chooses.
_NOT_RENDERED = ("link", "image", "autolink", "reference", "html_inline", "html_block")


def render_markdown(text: str) -> Markup:
    whole = strip_controls(text).encode("utf-8", "replace").decode()
    rest = f"\n\n… {len(whole) - LONGEST:,} characters more\n" if len(whole) > LONGEST else ""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(list(_NOT_RENDERED))
    parser.add_render_rule("fence", _render_code)
    parser.add_render_rule("code_block", _render_code)
    tokens = parser.parse(whole[:LONGEST] + rest)
    _order_headings(tokens)
    _name_columns(tokens)
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def _render_code(_: RendererHTML, tokens: Sequence[Token], place: int, *__: Any) -> str:
    """It can be scrolled by the keyboard."""
    return f'<pre tabindex="0"><code>{escape(tokens[place].content)}</code></pre>\n'


def _order_headings(tokens: Sequence[Token]) -> None:
    """Below the title of the page, and without gaps, so that a screen reader can go through them."""
    last = 1
    for token in tokens:
        if token.type == "heading_open":
            last = min(int(token.tag[1:]) + 1, last + 1, 6)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{last}"


def _name_columns(tokens: Sequence[Token]) -> None:
    """A column without a name has no header: an empty one would be read aloud as nothing."""
    for opening, inner, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inner.content.strip():
            opening.tag = closing.tag = "td"
