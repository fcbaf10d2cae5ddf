"""Phase numbers: strings such as "3", "02.1", "12.3.1", "20A", and the folders named after them.

A phase of another planning format may have a name instead: "add-login", "US-001". It keeps it (``carry_id``); it has no
number, so it comes after all numbers and its folder is called like it.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from autopilot.model.planning.roadmap import PhaseId

ID = r"[0-9]{1,6}[A-Za-z]?(?:\.[0-9]{1,6})*"  # the one pattern for a number, for use in other patterns
NAME = r"(?=[A-Za-z0-9_-]{0,63}[A-Za-z_-])[A-Za-z0-9][A-Za-z0-9_-]{0,63}"  # of a phase that has no number
ANY_ID = re.compile(rf"(?:{ID}|{NAME})\Z")
_ID = re.compile(rf"({ID})\Z")
_NAME = re.compile(rf"{NAME}\Z")
# Words of the command line and of phases that Autopilot makes itself; "3-7" is a range.
_TAKEN = re.compile(
    r"(?:all|next|phase|audit|version|baseline|debug|design|impl|map|run|fix-[0-9]+|[0-9]+[A-Za-z]?-[0-9]+[A-Za-z]?)\Z",
    re.IGNORECASE,
)
_LAST = 10**7  # a name sorts after every number
_PARTS = re.compile(r"([0-9]+)([A-Z]?)((?:\.[0-9]+)*)\Z")
# A folder may carry a project code first ("CTRX-15-api"; GSD allows up to six capitals) or the word ("phase-3-api").
_FOLDER = re.compile(rf"(?:[A-Z]{{1,6}}-|[Pp]hase[-_ ]?)?({ID})(?:[-_ ](.*))?\Z", re.DOTALL)

Key = tuple[int, str, tuple[int, ...]]


def parse_phase_id(text: str) -> PhaseId | None:
    """The number in its one spelling: no zero padding, capital letter. None when it is not a number."""
    found = _ID.match(text.strip())
    return normalise(found[1]) if found else None


def phase_named(word: str) -> PhaseId:
    """The phase that a user means by this word, if there is one: by its number in any spelling, or by its name."""
    return parse_phase_id(word) or PhaseId(word.strip())


def normalise(text: str) -> PhaseId:
    """Spell a text that matches ``ID`` the one way: "02.1" is "2.1", "12a" is "12A"."""
    number, letter, decimals = _split(text)
    return PhaseId(f"{number}{letter}" + "".join(f".{part}" for part in decimals))


def carry_id(text: str) -> PhaseId:
    """The id of another tool as that of a phase: a number in its one spelling, a name as it is written.

    What could be mistaken for something else, or is no name of a file, gets letters of its hash: the same text always
    becomes the same id, whatever is added beside it.
    """
    text = text.strip()
    if id := parse_phase_id(text):
        return id
    if _NAME.match(text) and not _TAKEN.match(text):
        return PhaseId(text)
    plain = "-".join(re.findall(r"[A-Za-z0-9]+", text))[:40].strip("-") or "phase"
    return PhaseId(f"{plain}-x{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}")


def is_numbered(phase: PhaseId) -> bool:
    return _ID.match(phase) is not None


@lru_cache(maxsize=4096)  # of a long roadmap every phase is held against every other
def sort_key(phase: PhaseId) -> Key:
    """12 < 12A < 12A.1 < 12A.1.2 < 12A.2 < 13 < every name."""
    return _split(phase) if is_numbered(phase) else (_LAST, phase, ())


def folder_prefix(phase: PhaseId) -> str:
    """Zero-padded as GSD writes it: "02", "02.1", "12A"; a name as it is."""
    if not is_numbered(phase):
        return phase
    number, letter, decimals = _split(phase)
    return f"{number:02d}{letter}" + "".join(f".{part}" for part in decimals)


def phase_of_folder(name: str) -> PhaseId | None:
    """Which phase a folder of this name belongs to: "02.1-slug", "CTRX-15-api", "101"."""
    found = _FOLDER.match(name)
    return normalise(found[1]) if found else None


def slugify(name: str) -> str:
    """Letters and digits of any script, dashes between; never empty, never longer than 60."""
    parts = re.findall(r"[^\W_]+", name.lower())
    return "-".join(parts)[:60].strip("-") or "phase"


def are_unrelated(name: str, other: str) -> bool:
    """Whether two names of phases have no word in common, although each has words that could be.

    A roadmap in Chinese has folders with English names: of names in two scripts one may be the other's translation.
    """
    if _has_other_script(name) != _has_other_script(other):
        return False
    first, second = ({word for word in re.findall(r"[^\W_]+", text.lower()) if len(word) > 2} for text in (name, other))
    return bool(first and second) and not first & second


def _has_other_script(name: str) -> bool:
    """Letters beyond Latin ones with their accents, which end before U+0250."""
    return any(letter.isalpha() and letter > "\u024f" for letter in name)


def _split(text: str) -> Key:
    found = _PARTS.match(text.upper())
    assert found, f"not a phase number: {text!r}"
    return int(found[1]), found[2], tuple(int(part) for part in found[3].split(".")[1:])
