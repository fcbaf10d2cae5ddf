"""Text without secrets and without terminal control sequences: for everything that is stored, shown or prompted."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote, quote_plus

from autopilot.model.secrets import FORMS, MIN_LENGTH, Form
from autopilot.model.terminal import strip_controls


class Redactor:
    """Known values first, in every spelling they may come in; then whatever looks like a secret by its form."""

    def __init__(self, values: Mapping[str, str] | None = None, forms: Sequence[Form] = FORMS) -> None:
        spelt = {
            spelling: name
            for name, value in (values or {}).items()
            if len(value) >= MIN_LENGTH
            for spelling in _spellings(value)
        }
        # The longest first: a value may contain another.
        self._values = sorted(spelt.items(), key=lambda pair: (-len(pair[0]), pair))
        self._forms = tuple(forms)

    def redact(self, text: str) -> str:
        for spelling, name in self._values:
            text = text.replace(spelling, f"[redacted:{name}]")
        lowered = text.lower()
        for form in self._forms:
            if any(hint in lowered for hint in form.hints):
                keep = r"\g<keep>" if "keep" in form.pattern.groupindex else ""
                text = form.pattern.sub(f"{keep}[redacted:{form.name}]", text)
        return text

    def clean(self, text: str) -> str:
        """Controls go first: a colour in the middle of a secret must not hide it."""
        return self.redact(strip_controls(text))

    def clean_bytes(self, content: bytes) -> bytes:
        """The same for output of unknown encoding; bytes that are no UTF-8 stay as they are."""
        return self.clean(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _spellings(value: str) -> Iterator[str]:
    """Raw, line by line, as JSON, in URLs, as hex, and inside base64 at each of its three alignments."""
    yield value
    lines = [line.strip() for line in value.splitlines()]
    if len(lines) > 1:
        yield from (line for line in lines if len(line) >= 2 * MIN_LENGTH and not line.startswith("-----"))
    escaped = json.dumps(value)[1:-1]
    yield from (escaped, json.dumps(escaped)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])
    yield from (quote(value, safe=""), quote(value), quote_plus(value))
    raw = value.encode("utf-8", "surrogateescape")
    yield from (raw.hex(), raw.hex().upper())
    for before in range(3):
        # The first and last characters depend on the neighbours of the value; the middle does not.
        first, last = -(-before * 8 // 6), (before + len(raw)) * 8 // 6
        middle = base64.b64encode(bytes(before) + raw).decode()[first:last]
        if len(middle) >= MIN_LENGTH:
            yield from (middle, middle.replace("+", "-").replace("/", "_"))
