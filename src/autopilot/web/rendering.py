"""Templates filled in. Whatever agents, tests and repositories say is text: escaped, without controls, bounded."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.html import markup
from autopilot.reports.html.pieces import TONES
from autopilot.reports.markdown import how_long
from autopilot.reports.status.status_text import money_words
from autopilot.web.markdown import render_markdown

LONGEST = 4_000
_CODE = re.compile(r"`([^`\n]{1,400})`")


def render(template: str, context: dict[str, Any], status: int = 200) -> HTMLResponse:
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(context), status)


def _clean(value: Any) -> Any:
    """Every value that a template prints, unless it was made as markup here."""
    if value is None:
        return ""
    if isinstance(value, markup.Markup):
        return Markup(value)
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    shown = strip_controls(value).encode("utf-8", "replace").decode()
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"


def _as_time(moment: datetime | str | None) -> Markup:
    """In UTC; the browser puts it into the reader's zone."""
    if not moment:
        return Markup("")
    shown = (datetime.fromisoformat(moment) if isinstance(moment, str) else moment).astimezone(UTC)
    return Markup('<time datetime="{}">{} UTC</time>').format(
        shown.isoformat(timespec="seconds"), f"{shown:%Y-%m-%d %H:%M}"
    )


def _with_code(line: str) -> Markup:
    """What stands between backquotes is shown as code."""
    pieces = _CODE.split(str(_clean(line)))
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else Markup.escape(piece)
        for place, piece in enumerate(pieces)
    )


def _tone(status: str) -> str:
    return TONES.get(status, "")


def _make() -> Environment:
    made = Environment(
        loader=PackageLoader("autopilot.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "time": _as_time,
        "code": _with_code,
        "markdown": render_markdown,
        "tone": _tone,
        "how_long": how_long,
        "took": lambda took_ms: how_long(took_ms / 1000) if took_ms >= 1000 else f"{took_ms} ms",
        "usd": lambda usd: money_words(usd, False),
        "money": lambda usage: money_words(usage.usd, usage.usd_is_estimate),
    }
    return made


_ENVIRONMENT = _make()
