"""Asks the user through the client, outside of what an agent says: by the protocol's elicitation, in both its forms.

Until 2025-11-25 the server sends a request of its own; since 2026-07-28 it answers a call with what it needs, and the
client calls again. A call that carries an answer to nothing that was asked here is asked like any other.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from autopilot.model.errors import UsageError
from autopilot.model.secrecy.terminal import strip_controls

KEY, FIELD = "confirmation", "confirm"
MOST_OPEN = 64
LONGEST_NAME = 60

Context = ServerRequestContext[Any, Any]
Asked = types.CallToolRequestParams


class Confirmations:
    """What was asked and not answered yet, by a name that only this process gives; each counts once."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}

    async def ask(
        self, context: Context, asked: Asked, shown: str, word: str, command: str
    ) -> types.InputRequiredResult | None:
        """None once the user has typed the word. UsageError where nobody can be asked or it was not confirmed."""
        if not _can_ask(context):
            wrong = "this decision needs the user's own confirmation, which this client does not offer to ask for"
            raise UsageError(wrong, f"the user types it in a terminal: {command}")
        form = _form(shown, word)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            answer = self._take(asked, shown)
            if answer is None:
                return types.InputRequiredResult(
                    input_requests={KEY: types.ElicitRequest(params=form)}, request_state=self._remember(shown)
                )
        else:
            answer = await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
        _must_confirm(answer, word, command)
        return None

    def _remember(self, shown: str) -> str:
        name = secrets.token_urlsafe(24)
        self._open[name] = _digest(shown)
        while len(self._open) > MOST_OPEN:
            del self._open[next(iter(self._open))]
        return name

    def _take(self, asked: Asked, shown: str) -> types.ElicitResult | None:
        """The answer to this very question: its words are those that were shown."""
        expected = self._open.pop(asked.request_state or "", None)
        answer = (asked.input_responses or {}).get(KEY)
        return answer if expected == _digest(shown) and isinstance(answer, types.ElicitResult) else None


def name_client(context: Context) -> str:
    """As it calls itself: a stranger's words."""
    known = context.session.client_params
    name = strip_controls(known.client_info.name if known else "").strip()[:LONGEST_NAME]
    return name or "a client of MCP"


def _can_ask(context: Context) -> bool:
    """``elicitation: {}`` is the form of old: it means forms. One that only opens addresses shows nobody a question."""
    known = context.session.client_capabilities
    offered = known.elicitation if known else None
    is_form = offered is not None and (offered.form is not None or offered.url is None)
    return is_form and (context.protocol_version in MODERN_PROTOCOL_VERSIONS or context.session.can_send_request)


def _form(shown: str, word: str) -> types.ElicitRequestFormParams:
    """The word is typed: a client that accepts everything by itself sends an empty form."""
    field = {"type": "string", "title": f"Type: {word}", "description": "anything else records nothing"}
    schema = {"type": "object", "properties": {FIELD: field}, "required": [FIELD]}
    return types.ElicitRequestFormParams(
        message=f"{shown}\n\nTo record this as your decision, type: {word}", requested_schema=schema
    )


def _must_confirm(answer: types.ElicitResult, word: str, command: str) -> None:
    if answer.action != "accept":
        said = "declined it" if answer.action == "decline" else "did not answer"
        hint = f"the gate stays open; the user can still type it in a terminal: {command}"
        raise UsageError(f"nothing was recorded: the user {said}", hint)
    typed = (answer.content or {}).get(FIELD)
    if not isinstance(typed, str) or " ".join(typed.split()).casefold() != word.casefold():
        raise UsageError(f'nothing was recorded: "{word}" was not typed', f"or in a terminal: {command}")


def _digest(shown: str) -> str:
    return hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()
