"""What a project's own instructions say about its version: found by words, and understood where they are plain."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from autopilot.text.lines import scan_lines

RULE_FILES = ("CLAUDE.md", "AGENTS.md")
MOST_RULES = 20
_ABOUT = re.compile(r"\b(?:semver|semantic versioning|versioning|bump(?:s|ed|ing)?|changelog)\b", re.IGNORECASE)
_VERSION = re.compile(r"\b(?:versions?|version numbers?|releases?)\b", re.IGNORECASE)
_ACT = re.compile(
    r"\b(?:increment|increase|raise|change|edit|modify|touch|update|set|release|tag|publish|major|minor|patch)\w*\b",
    re.IGNORECASE,
)
# A rule with a condition is for somebody who can tell whether it holds.
_CONDITION = re.compile(
    r"\b(?:unless|except|without|until|if|when|whenever|only after|before|other than|but|major|minor)\b", re.IGNORECASE
)
_NEVER = re.compile(
    r"\b(?:never|do not|don['’]t|must not|should not|no)\b.{0,40}"
    r"\b(?:bump|change|edit|modify|touch|update|raise|increment)",
    re.IGNORECASE,
)
_PATCH = re.compile(
    r"\bpatch(?:es)?(?: version| release| bump)?s? only\b|"
    r"\bonly (?:ever )?(?:bump |raise |increment )?(?:the )?patch\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_])")


class Plain(Struct, frozen=True):
    part: str  # none or patch
    rule: str


def find_rules(text: str) -> tuple[str, ...]:
    """Sentences about versioning, as they stand in the text but for line breaks."""
    return tuple(dict.fromkeys(sentence for sentence in _sentences(text) if _is_about(sentence)))[:MOST_RULES]


def understand(rules: Sequence[str]) -> Plain | None:
    """What the rules come to when each of them is plain and they agree; None leaves them to a reader."""
    read = [_plain(rule) for rule in rules]
    if not read or any(part == "" for part in read) or len(set(read)) > 1:
        return None
    return Plain(read[0], rules[0])


def is_quoted(quote: str, texts: Sequence[str]) -> bool:
    """Whether these words stand in one of the texts, line breaks and marks of emphasis aside."""
    wanted = _folded(quote)
    return len(wanted) >= 8 and any(wanted in _folded(text) for text in texts)


def rests_on(quote: str, rules: Sequence[str]) -> bool:
    """Whether what is quoted is one of these rules, a part of one, or holds one: any other sentence settles nothing."""
    wanted = _folded(quote)
    return any(wanted in rule or rule in wanted for rule in map(_folded, rules)) and len(wanted) >= 8


def _plain(rule: str) -> str:
    if _CONDITION.search(rule):
        return ""
    if _PATCH.search(rule):
        return "patch"
    return "none" if _NEVER.search(rule) else ""


def _is_about(sentence: str) -> bool:
    if _ABOUT.search(sentence):
        return True
    return _VERSION.search(sentence) is not None and (
        _ACT.search(sentence) is not None or bool(_NEVER.search(sentence))
    )


def _sentences(text: str) -> list[str]:
    """Paragraphs and list items, cut at full stops; headings and examples say nothing."""
    blocks: list[list[str]] = [[]]
    for line in scan_lines(text):
        content = line.text.strip()
        item = re.match(r"(?:[-*+]|\d{1,3}[.)])\s+", content)
        if line.hidden or not content or content.startswith(("#", "```")) or item:
            blocks.append([])
        if not line.hidden and content and not content.startswith("#"):
            blocks[-1].append(content[item.end() :] if item else content)
    joined = (" ".join(block) for block in blocks if block)
    return [sentence.strip() for block in joined for sentence in _END.split(block) if sentence.strip()]


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[*_`]", "", text).split()).casefold()
