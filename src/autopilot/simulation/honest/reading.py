"""Reads a criterion in prose as far as a program can: by a search for its words in the change.

That a line has the words of a criterion is a reason to look there, not to believe it: what is found is called so.
"""

from __future__ import annotations

import re

from autopilot.simulation.honest.context import Reply
from autopilot.simulation.honest.trace import Git

WORD = re.compile(r"[^\W\d_]{3,}")
SMALL = """
    all and any are but can does each every for from has have into its more not one out person shall should that the
    their then there they this user users was were what when which will with works
"""
SMALL_WORDS = frozenset(SMALL.split())
ADDED = re.compile(r"^@@ -\S+ \+(\d+)")
NOT_UNDERSTOOD = "found by a search, not understood"


def read_promise(promise: Reply, git: Git) -> Reply:
    """``verified`` with the added line that has most of its words, where it has any; else ``unverifiable``."""
    wanted = find_words(promise["text"])
    found = [(wanted & find_words(f"{path} {text}"), path, line) for path, line, text in find_added_lines(git)]
    shared, path, line = max(found, key=lambda place: len(place[0]), default=(set[str](), "", 0))
    named = {"criterion": promise["text"]}
    if not shared:
        return {
            **named,
            "status": "unverifiable",
            "evidence": "no added line has a word of it, and no command checks it",
        }
    named_words = ", ".join(sorted(shared)[:5])
    evidence = f"{path}:{line} -- has {len(shared)} of its {len(wanted)} words ({named_words}); "
    return {**named, "status": "verified", "evidence": evidence + NOT_UNDERSTOOD}


def find_words(text: str) -> set[str]:
    """Without endings: "ignores" and "ignored" are one word here."""
    found = {word.casefold() for word in WORD.findall(text)} - SMALL_WORDS
    return {re.sub(r"(?:ing|ed|es|e|s)\Z", "", word) if len(word) > 4 else word for word in found}


def find_added_lines(git: Git) -> list[tuple[str, int, str]]:
    """Path, number and text of what the change added outside of the plans; without a change, of every line."""
    path, number, found = "", 0, list[tuple[str, int, str]]()
    for line in git("diff", "--no-ext-diff", "--unified=0", "HEAD~1", "HEAD").splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/").rstrip("\t")
        elif hunk := ADDED.match(line):
            number = int(hunk[1])
        elif line.startswith("+") and path and not path.startswith(".planning/"):
            found.append((path, number, line[1:]))
            number += 1
    return found or find_all_lines(git)


def find_all_lines(git: Git) -> list[tuple[str, int, str]]:
    parts = (line.split("\0") for line in git("grep", "-n", "-I", "-z", "-e", "", "HEAD").splitlines())
    known = ((part[0].removeprefix("HEAD:"), part[1], part[2]) for part in parts if len(part) > 2)
    return [(path, int(line), text) for path, line, text in known if not path.startswith(".planning/")]
