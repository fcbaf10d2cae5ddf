"""``must_haves:`` of a GSD plan's front matter: truths, artifacts and key links, each as one sentence.

The front matter reader passes nested maps over; this one reads the three lists that GSD writes, and no more of YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_ENTRY = re.compile(r"(?P<indent> *+)(?P<dash>- ++)?(?:(?P<key>[A-Za-z_][\w-]{0,40}): *+)?(?P<value>.*)")
_LISTS = ("truths", "artifacts", "key_links")
MOST_LINES = 2000  # of a front matter: what is longer is none


def parse_must_haves(text: str) -> tuple[str, ...]:
    lines = text.split("\n", MOST_LINES)[:MOST_LINES]
    if lines[0].strip() != "---":
        return ()
    end = next((index for index, line in enumerate(lines[1:], start=1) if line.strip() == "---"), 0)
    block = list(_block(lines[1:end]))
    return tuple(dict.fromkeys(sentence for name, entry in _entries(block) if (sentence := _sentence(name, entry))))


def _block(lines: Sequence[str]) -> Iterator[str]:
    """The lines under ``must_haves:``."""
    inside = False
    for line in lines:
        if line[:1].strip():
            inside = line.rstrip() == "must_haves:"
        elif inside and line.strip() and not line.lstrip().startswith("#"):
            yield line.rstrip()


def _entries(block: Sequence[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each item of the lists: its keys, or under "" its text. A list inside an item is not ours to read."""
    name, entry, depth = "", dict[str, str](), 0
    for line in block:
        found = _ENTRY.fullmatch(line)
        if found is None:
            continue
        key, value, indent = found["key"] or "", _plain(found["value"]), len(found["indent"])
        if not found["dash"] and key in _LISTS and not value:
            yield name, entry
            name, entry, depth = key, {}, 0
        elif found["dash"] and name and (not depth or indent <= depth):
            yield name, entry
            # A colon inside a sentence makes no key of what stands before it.
            is_map = name != "truths" and bool(key)
            entry, depth = ({key: value} if is_map else {"": _plain(line.lstrip(" -"))}), indent
        elif not found["dash"] and key and entry and "" not in entry:
            entry.setdefault(key, value)
    yield name, entry


def _sentence(name: str, entry: Mapping[str, str]) -> str:
    if name == "artifacts" and (path := entry.get("path", "")):
        return f"{path}: {entry['provides']}" if entry.get("provides") else f"{path} is there"
    if name == "key_links" and entry.get("from") and entry.get("to"):
        via = f" ({entry['via']})" if entry.get("via") else ""
        return f"{entry['from']} is linked to {entry['to']}{via}"
    return entry.get("", "")


def _plain(text: str) -> str:
    plain = text.strip()
    return plain[1:-1] if len(plain) >= 2 and plain[0] == plain[-1] and plain[0] in "\"'" else plain
