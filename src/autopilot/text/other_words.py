"""A text of the same form with other words: every letter and digit is another one."""

from __future__ import annotations

_LETTERS, _DIGITS = b"abcdefghijklmnopqrstuvwxyz", b"0123456789"
_OTHER = bytes.maketrans(
    _LETTERS + _LETTERS.upper() + _DIGITS,
    _LETTERS[1:] + _LETTERS[:1] + (_LETTERS[1:] + _LETTERS[:1]).upper() + _DIGITS[3:] + _DIGITS[:3],
)


def other_words(text: bytes) -> bytes:
    """What stands there afterwards stood there nowhere before."""
    return text.translate(_OTHER)
