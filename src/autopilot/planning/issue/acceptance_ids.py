"""How acceptance criteria and acceptance tests are named (``AC-1``, ``AC1``, ``AT-355-F8-1``), and lists of them."""

from __future__ import annotations

import re

# Whole words: AC-1 stands neither in AC-12 nor in "AC-1-based".
_ENDS = r"(?![^\W_]|[-_][^\W_])"
CRITERION = (
    r"(?:AC|[Aa]c(?=[-_]))(?:[-_][A-Za-z]{1,4}-?|[-_ ]?)\d{1,6}[a-z]?"
    rf"(?:[.-][A-Za-z]{{0,3}}\d{{1,6}}[a-z]?){{0,4}}{_ENDS}"
)
TEST = (
    r"(?:AT|[Aa]t(?=[-_]))(?:[-_][A-Za-z]{1,6}-?|[-_]?)\d{1,6}[a-z]?"
    rf"(?:[-_.][A-Za-z]{{0,4}}\d{{1,6}}[a-z]?){{0,5}}{_ENDS}"
)
_CRITERION = re.compile(rf"(?<![\w-]){CRITERION}")
# One id of a list, as a word, in brackets or as a link, and what may stand before the next.
_LISTED = re.compile(
    rf"[ \t]*[\[(*_`]{{0,4}}({CRITERION})[\])*_`]{{0,4}}(?:\([^()\s]{{1,200}}\))?[ \t]*+(?:,?[ \t]*and\b|[,;&+/])?"
)
_BRACKETS = re.compile(r"[\[(]([^\[\]()\n]{2,200})[\])]")
_LABEL = re.compile(
    r"(?:(?:^|[.;,:(\[–—-])[ \t]*|(?<=[ \t])(?=[*_`]{0,3}(?-i:Covers)[*_`]{0,3}:))[*_`]{0,3}"
    r"(?:covers(?=[*_`]{0,3}:|[*_`]{0,3}[ \t]+[\[(*_`]{0,4}AC)|(?:acs?|acceptance criteri(?:a|on))(?=[*_`]{0,3}:))"
    r"[*_`]{0,3}:?[*_`]{0,3}",
    re.IGNORECASE,
)


def ac_id(written: str) -> str:
    """One spelling of each: ``AC1``, ``ac-01`` and ``AC 1`` are AC-1."""
    body = re.sub(r"(?<!\d)0+(?=\d)", "", written[2:].lstrip("-_ ").replace("_", "-"))
    return f"AC-{body.upper()}"


def at_id(written: str) -> str:
    """Zeros count, as they do in a test's name: AT-1 and AT-001 are two."""
    return f"AT-{written[2:].lstrip('-_').replace('_', '-').upper()}"


def named_criteria(text: str) -> tuple[str, ...]:
    """Every criterion that a heading names, wherever it stands there."""
    return tuple(dict.fromkeys(ac_id(found[0]) for found in _CRITERION.finditer(text)))


def listed_criteria(text: str) -> tuple[tuple[str, ...], str]:
    """The ids a text begins with, and what stands behind the last of them: no word between them is passed over."""
    found, position = list[str](), 0
    while listed := _LISTED.match(text, position):
        found.append(ac_id(listed[1]))
        position = listed.end()
    return tuple(found), text[position:].strip()


def claimed_criteria(line: str) -> tuple[tuple[str, ...], bool]:
    """What one line of an acceptance test claims to cover, and whether it is a label whose list comes below it.

    Only ``Covers: AC-1`` and brackets that hold ids alone claim anything: "as AC-1 says" and "(not AC-2)" do not.
    """
    label = _LABEL.search(line)
    labelled, rest = listed_criteria(line[label.end() :]) if label else ((), "")
    bracketed = (listed_criteria(found[1]) for found in _BRACKETS.finditer(line))
    alone = [id for ids, behind in bracketed if not behind for id in ids]
    opens = label is not None and not labelled and not rest
    return tuple(dict.fromkeys([*labelled, *alone])), opens
