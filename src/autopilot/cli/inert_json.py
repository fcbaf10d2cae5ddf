"""JSON that steers no terminal: what it comes to is often one. Loads next to nothing."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What JSON leaves as it is: deletions, control characters of eight bits, and marks that reorder the text around them.
_STEERING = {
    code: f"\\u{code:04x}" for codes in ((0x7F, 0xA0), (0x202A, 0x202F), (0x2066, 0x206A)) for code in range(*codes)
}


def render_json(document: Any, indent: int | None = 2) -> str:
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    return text if text.isascii() and "\x7f" not in text else text.translate(_STEERING)
