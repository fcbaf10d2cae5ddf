"""Words of another tool's files, so that a roadmap or a plan that holds them reads them as words and nothing else."""

from __future__ import annotations

import re

from autopilot.planning.roadmap.standing.status_words import given_up_mark, marked_done
from autopilot.text.fences import parse_fence
from autopilot.text.lines import scan_lines

# Whatever begins with "<details" counts as that to who reads lines.
_HIDES = re.compile(r"<(?=!--|/?details|/?(?:summary|task|feature|verification)\b)", re.IGNORECASE)
_ENDS = re.compile(r"</(?=[a-z_-]{1,24}>)", re.IGNORECASE)
_FENCE = re.compile(r"^\s{0,12}(`{3,}|~{3,})", re.MULTILINE)
_MARKS = re.compile(r"[✅✓✔🚫❌⏸🚧]")
_DASH = re.compile(r"\s?[–—]\s?|\s--?\s")
_NOTE = re.compile(r"\((?=\s*(?:INSERTED|COMPLETED?|DONE|SHIPPED|WAITS FOR YOU)\b)", re.IGNORECASE)


def one_line(text: str) -> str:
    """Without what would hide the lines below it; bold letters could make a label of a word."""
    return inert(" ".join(text.replace("**", "").split()))


def inert(text: str) -> str:
    """Without tags and comments that a reader of lines obeys."""
    return _HIDES.sub("< ", text)


def hides_what_follows(text: str) -> bool:
    """By a comment or <details> that it opens and does not close, or by a fence of code."""
    *lines, after = scan_lines(f"{text}\n")
    return after.hidden or after.archived or any(parse_fence(line.text) for line in lines)


def plain_name(name: str) -> str:
    """A name that says nothing of how its phase stands: "Login (done)" of an open phase becomes "Login done"."""
    plain = one_line(name).replace("~~", "").strip(" \t*~#\ufe0f")
    plain = " ".join(_MARKS.sub(" ", plain).split()).strip(" *~#")
    if _NOTE.search(plain) or any(given_up_mark(line) or marked_done(line) for line in _lines(plain)):
        plain = re.sub(r"[()\[\]]", "", _DASH.sub(", ", plain))
    return plain


def task_text(text: str) -> str:
    """Several lines for the inside of a tag: nothing in them ends it, nor opens a task or a fence that stays open."""
    kept = _ENDS.sub("< /", inert(text))
    return kept if len(_FENCE.findall(kept)) % 2 == 0 else kept.replace("```", "'''").replace("~~~", "---")


def reason(text: str) -> str:
    """For the inside of brackets."""
    return re.sub(r"[()\[\]*~✅✓✔]", "", one_line(text))[:240].strip()


def _lines(name: str) -> tuple[str, str]:
    return f"### Phase 1: {name}", f"- [ ] **Phase 1: {name}**"
