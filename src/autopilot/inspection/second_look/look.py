"""Layer L: a second look at the lines that a change adds to product code.

What it sees is a flag; of what the user's own words promise, a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from autopilot.inspection.second_look.finding import Finding, added_lines
from autopilot.inspection.second_look.patterns import find_patterns
from autopilot.inspection.second_look.python import find_in_python
from autopilot.inspection.second_look.stored import find_stored
from autopilot.inspection.second_look.swallowed import find_swallowed
from autopilot.inspection.second_look.tables import find_script_tables, find_tables, literals_of
from autopilot.inspection.second_look.unfinished import find_unfinished
from autopilot.inspection.second_look.usurped import find_usurped
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.text.file_kind import is_ours, is_test, suffix_of
from autopilot.text.masking import is_masked
from autopilot.text.python_tree import python_tree

__all__ = ["literals_of", "second_look"]

MAX_CHARS = 400_000
# Parameters of a form that others prescribe: whoever is called so need not look at each.
_PRESCRIBED = frozenset(
    word
    for line in (
        "args kwargs argv self cls this ctx context event events request req response res reply next done env options",
        "opts config settings sender signal frame key index value name",
        # And words of any sentence, which are names as well.
        "a i to of in on by at as is it be or and for from the with an all any no not if up so this that each",
    )
    for word in line.split()
)
_WORD = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*(?![\w$])")
_CODE = re.compile(r"`([^`\n]{1,200})`")
MAX_FLAGS = 10  # of one file: who wants more has one cause for all of them
_TYPED = frozenset({".ts", ".mts", ".cts"})
_SCRIPTS = frozenset({".js", ".mjs", ".cjs", ".jsx", ".tsx"}) | _TYPED


def second_look(
    path: str,
    old: str | None,
    new: str,
    *,
    subject: str = "phase",
    held: Collection[str] = (),
) -> tuple[Objection, ...]:
    """``held`` are the literals of the tests (``literals_of``)."""
    return _flags(path, old, new, subject, lambda: _findings(path, new, held))


def look_for_unfinished(
    path: str, old: str | None, new: str, *, subject: str = "phase", promised: str = ""
) -> tuple[Objection, ...]:
    """Unlike a second look no reason to doubt the tests: code that is missing turns none of them green.

    ``promised``: what the user wants of the phase. What it speaks of may not be ignored.
    """
    spoken = frozenset(_WORD.findall(promised)) - _PRESCRIBED
    return _flags(path, old, new, subject, lambda: find_unfinished(path, new), spoken)


def refuse_swallowed(path: str, old: str | None, new: str, *, subject: str = "phase") -> tuple[Objection, ...]:
    """In tests that the work brings or changes: what cannot fail shows nothing."""
    return _refused(path, old, new, find_swallowed(path, new), subject) if len(new) <= MAX_CHARS else ()


def refuse_usurped(path: str, old: str | None, new: str, *, subject: str = "phase") -> tuple[Objection, ...]:
    """In shell code that tests load."""
    return _refused(path, old, new, find_usurped(new), subject) if len(new) <= MAX_CHARS else ()


def refuse_stored(
    path: str, old: str | None, new: str, all_code: Callable[[], str], *, promised: str, subject: str = "phase"
) -> tuple[Objection, ...]:
    """Of what the phase names as code: `Limiter(calls, per)` that keeps `per`, and no more. Elsewhere it may be for
    code that uses the object."""
    named = frozenset(word for span in _CODE.findall(promised) for word in _WORD.findall(span)) - _PRESCRIBED
    if not named or len(new) > MAX_CHARS or is_test(path) or is_ours(path):
        return ()
    findings = (finding for finding in find_stored(path, new, all_code) if finding.ignored in named)
    return _refused(path, old, new, findings, subject)


def _refused(path: str, old: str | None, new: str, findings: Iterator[Finding], subject: str) -> tuple[Objection, ...]:
    added, found = added_lines(old, new), dict[str, Objection]()
    for seen in findings:
        if not added.isdisjoint(range(seen.first, seen.last + 1)):
            where = f"{path}:{seen.first}"
            found.setdefault(seen.description, Objection(Layer.LOOK, subject, seen.description, where, seen.satisfy))
    return tuple(list(found.values())[:MAX_FLAGS])


def _flags(
    path: str,
    old: str | None,
    new: str,
    subject: str,
    look: Callable[[], Iterator[Finding]],
    spoken: Collection[str] = (),
) -> tuple[Objection, ...]:
    if is_test(path) or is_ours(path) or not is_masked(path) or len(new) > MAX_CHARS:
        return ()
    added = added_lines(old, new)
    found: dict[str, Objection] = {}
    try:
        for seen in look():
            if not added.isdisjoint(range(seen.first, seen.last + 1)) and seen.description not in found:
                where = f"{path}:{seen.first}"
                is_promised = bool(seen.ignored) and seen.ignored in spoken
                described = f"{seen.description}, which the phase speaks of" if is_promised else seen.description
                weight = Weight.REFUSE if is_promised else Weight.FLAG
                found[seen.description] = Objection(Layer.LOOK, subject, described, where, seen.satisfy, weight)
    except RecursionError:  # nested deeper than anyone wrote it by hand; what was seen so far stands
        pass
    return tuple(list(found.values())[:MAX_FLAGS])


def _findings(path: str, text: str, held: Collection[str]) -> Iterator[Finding]:
    tree = python_tree(text) if suffix_of(path) == ".py" else None
    yield from find_in_python(tree) if tree else find_patterns(path, text)
    if held and tree:
        yield from find_tables(tree, held)
    elif held and suffix_of(path) in _SCRIPTS:
        yield from find_script_tables(text, suffix_of(path) in _TYPED, held)
