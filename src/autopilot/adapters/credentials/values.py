"""The secrets in a credential file, whatever its format: JSON, YAML, INI, XML, .env, netrc, a key, or just a token."""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from autopilot.model.secrecy.secrets import is_guessable, is_secret_name

MAX_BYTES = 1_000_000

_ASSIGNED = re.compile(
    r"^[ \t]{0,20}(?:export[ \t]{1,4})?[\"']?([\w.:/-]{1,200})[\"']?[ \t]{0,4}[=:][ \t]{0,4}(.{1,4000})$", re.MULTILINE
)
_NETRC = re.compile(r"\bpassword\s{1,8}(\S{1,400})")
_XML = re.compile(r"<(\w{1,40})>([^<>\s]{1,400})</")
_USER_INFO = re.compile(r"://([^\s/:@\"']{0,256}+)(?::([^\s/@\"']{1,256}))?@")
_HEADER = re.compile(r"authorization:\s{0,4}(?:[a-z]{1,12}\s{1,4})?(\S{8,4000})", re.IGNORECASE)
_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY")
_BASIC = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{8,4000}+={0,2}")  # a file that holds nothing else
_COMMENT = re.compile(r"\s#.*", re.DOTALL)
_PLACEHOLDERS = ("$", "<", "{", "%(", "!")
_TOKEN_LENGTH = 16  # a user's name in a URL may be a token, and then it is long


def read_values(file: Path) -> Iterator[str]:
    """Without what anybody could guess: hiding a common word would hide it everywhere. Nothing of what is not there."""
    try:
        # Not blocking: a pipe in place of the file must not hold us up.
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK), "rb") as source:
            is_plain = stat.S_ISREG(os.fstat(source.fileno()).st_mode)
            text = source.read(MAX_BYTES).decode("utf-8", "replace").strip() if is_plain else ""
    except OSError:
        return
    for value in dict.fromkeys(_values(text, file.name)):
        yield from (found for found in (value, *_inside_basic(value)) if not is_guessable(found))


def _values(text: str, name: str) -> Iterator[str]:
    if _KEY.search(text):
        yield text
        return
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, dict | list):
        yield from _leaves(parsed, secret=False)
        return
    if _TOKEN.fullmatch(text):
        yield text
    if name == ".pgpass":
        yield from (line.rpartition(":")[2] for line in text.splitlines())
    yield from (match[1] for pattern in (_NETRC, _HEADER) for match in pattern.finditer(text))
    yield from (match[2] for match in _XML.finditer(text) if is_secret_name(match[1]))
    yield from _in_urls(text)
    for match in _ASSIGNED.finditer(text):
        value = _COMMENT.sub("", match[2]).strip().strip("\"'")
        if is_secret_name(match[1]) and not value.startswith(_PLACEHOLDERS):
            yield value


def _in_urls(text: str) -> Iterator[str]:
    for user, password in _USER_INFO.findall(text):
        token = password or (user if len(user) >= _TOKEN_LENGTH else "")
        if token and not token.startswith(_PLACEHOLDERS):
            yield from {token, unquote(token)}


def _inside_basic(value: str) -> Iterator[str]:
    """What Docker and npm keep as base64 of user:password is known by its password, too."""
    if _BASIC.fullmatch(value):
        try:
            user, colon, password = base64.b64decode(value, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return
        if user and colon:
            yield password


def _leaves(value: object, secret: bool) -> Iterator[str]:
    match value:
        case str() if secret:
            yield value
        case str():
            yield from _in_urls(value)
        case dict():
            for key, item in value.items():
                yield from _leaves(item, secret or is_secret_name(str(key)))
        case list():
            for item in value:
                yield from _leaves(item, secret)
