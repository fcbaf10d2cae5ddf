"""Text without terminal control sequences: what is shown is what a reader would see, and nothing else happens."""

from __future__ import annotations

import re

_SEQUENCES = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,4096}+(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, links, clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}+(?:\x07|\x1b\\|\x9c)?"  # DCS, SOS, PM, APC
    r"|(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"  # CSI: colours, cursor
    r"|\x1b[ -/]*+[0-~]?"  # other escapes
    r"|\r\n?"
    # Left-over control characters, and marks that reorder the text around them.
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)
# Looking for one of these first is ten times quicker, and most texts have none.
_ANY = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

# What no terminal, diff or page shows, and a model reads: tags, fillers, marks of direction, and the joiners and
# selectors of scripts and emoji where several in a row join or select nothing.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U000e0000-\U000e0fff]|[\u200c\u200d]{2,}|[\ufe00-\ufe0f]{2,}"
)


def strip_unseen(text: str) -> str:
    """Without invisible characters."""
    return _UNSEEN.sub("", text)


def strip_controls(text: str) -> str:
    """The text a reader would see. A carriage return becomes a line end, so that nothing is hidden behind it."""
    if not _ANY.search(text):
        return text
    return _SEQUENCES.sub(lambda match: "\n" if match[0][0] == "\r" else "", text)
