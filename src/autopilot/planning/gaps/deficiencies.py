"""What keeps a completed phase from a better score, read out of its own reports, the biggest gap first (GAPS).

The first of these that says anything is the source: the scorecard; the "Path to 9.0/10" of the diagnostic; what the
judge worries about and the verifier found wanting. Our own documents are read, and those other tools wrote in the same
forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from autopilot.model.intent import NEAR_PERFECT, QUALITY, Deficiency
from autopilot.model.ruling import Deduction
from autopilot.planning.gaps.report_reading import MOST_READ, Row, cell, fold, listed_under, plain, sections, tables
from autopilot.text.lazy_regex import lazy_regex

PERFECT = 10.0
MOST = 40  # more than any number of cycles comes to; a report of thousands of lines is not carried through a run
WEIGHTS = ("high", "medium", "low")

_NUMBER = lazy_regex(r"(?<![\w.])(\d{1,2}(?:\.\d+)?)(?=\s*(?:/\s*10(?:\.0)?\b|\(|\Z))")
_SCORE_LINE = lazy_regex(r"^[^\w\n]{0,9}Score[^\w\n]{0,9}(\d{1,2}(?:\.\d+)?)\b", re.IGNORECASE | re.MULTILINE)
_REASON = lazy_regex(
    r"^[^\w\n]{0,9}(?:Justification|Deductions?|Reason|Why|Concerns?)[^\w\n]{0,4}:[^\w\n]{0,4}(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED = lazy_regex(r"^(?:Criterion\s*)?#?\d+(?:\.\d+)*\s*[.:)–—-]*\s+|^Criterion\s*[:–—-]\s*", re.IGNORECASE)
_WHOLE = lazy_regex(r"\W*(?:aggregate|overall|total|mean|average|alignment score|final)\b", re.IGNORECASE)
_PATH_TO = lazy_regex(r"path to (?:9(?:\.\d)?|10(?:\.0)?)\s*/\s*10", re.IGNORECASE)
_PATH_ITEM = lazy_regex(r"\*\*`?([^*`]+?)`?\*\*\s*+:?\s*+(.+)\Z")
_QUOTED = lazy_regex(r"\b(?:settles|addresses|resolves)\s+[\"“](.+?)[\"”]")
# A path with an extension; a line behind it is left off.
_FILE = lazy_regex(r"(?<![\w./@-])(?:\.?[\w@-]+/)*[\w@-][\w.@-]*\.[A-Za-z]\w{0,7}(?![\w/])")
_FAILED = lazy_regex(r"fail|✗|❌|missing|unproven|partial|unmet|\bgap|\bnot verified", re.IGNORECASE)
_GRAVE = lazy_regex(
    r"\b(?:fail\w*|missing|broken|breaks?|crash\w*|wrong\w*|insecure|security|unsafe|lost|loses|incorrect\w*|bugs?|"
    r"never|contradict\w*|does not|do not|cannot|unhandled|corrupt\w*|race|leaks?)\b",
    re.IGNORECASE,
)
_SLIGHT = lazy_regex(
    r"\b(?:style|naming|comments?|typos?|cosmetic|minor|nits?|wording|formatting|readab\w+|whitespace|docstrings?)\b",
    re.IGNORECASE,
)
_REMARKS = ("side effects", "side effects analysis", "the rater's remarks", "concerns", "scope creep")
_WORRIES = ("concerns", "judge concerns", "missed by the verifier", "verifier missed", "missing requirements")
_FOUND = ("concerns", "failures it found", "failures", "gaps", "gaps found")


class Documents(Struct, frozen=True):
    """The texts of a phase's reports; a split phase has one of a kind for each part."""

    scorecards: tuple[str, ...] = ()
    diagnostic: str = ""
    judge_reports: tuple[str, ...] = ()
    verifications: tuple[str, ...] = ()


def find_deficiencies(documents: Documents, target: float) -> tuple[Deficiency, ...]:
    carded = [deficiency for text in documents.scorecards for deficiency in read_scorecard(text, target)]
    found = by_gap(carded) or by_gap(read_diagnostic(documents.diagnostic))
    if not found:
        worries = [deficiency for text in documents.judge_reports for deficiency in read_judge_report(text)]
        failed = [deficiency for text in documents.verifications for deficiency in read_verification(text)]
        found = by_gap((*failed, *worries))
    return found


def target_for(score: float | None) -> float:
    """The score below which a criterion is a deficiency: nearly the maximum for a phase that is good already."""
    return NEAR_PERFECT if score is not None and score >= QUALITY else QUALITY


def by_gap(found: Iterable[Deficiency]) -> tuple[Deficiency, ...]:
    """The lowest score first; where there is none, by weight; what was said first, first. Nothing twice."""
    once: dict[str, Deficiency] = {}
    for deficiency in found:
        once.setdefault(fold(deficiency.label), deficiency)
    return tuple(sorted(once.values(), key=lambda deficiency: (_rank(deficiency), deficiency.score or 0.0))[:MOST])


def of_deduction(lost: Deduction) -> Deficiency:
    return Deficiency(plain(lost.why), plain(lost.criterion), lost.score, lost.file, "scorecard")


def of_worry(text: str, source: str) -> Deficiency:
    return Deficiency(plain(text), file=_file(text), source=source, weight=rate_gravity(text))


def of_failure(text: str) -> Deficiency:
    """What a verifier says does not hold."""
    return Deficiency(plain(text), file=_file(text), source="verification", weight="high")


def rate_gravity(text: str) -> str:
    """How grave a text sounds, for deficiencies without a score."""
    return "high" if _GRAVE.search(text) else "low" if _SLIGHT.search(text) else "medium"


def read_scorecard(text: str, target: float) -> tuple[Deficiency, ...]:
    """Every criterion below the target; where none is, what was remarked on the whole, then every tenth lost."""
    found = [*_carded(text), *_in_sections(text)]
    low = [item for item in found if item.score is not None and item.score < target]
    if low:
        return by_gap(low)
    remarks = [item for item in listed_under(text, _REMARKS) if not item.startswith("on the whole:")]
    lost = [item for item in found if item.score is not None and item.score < PERFECT]
    return by_gap((*(of_worry(item, "scorecard") for item in remarks), *lost))


def read_diagnostic(text: str) -> tuple[Deficiency, ...]:
    """The items of its path, in their order, which is by what they are worth; else what it says worries the judge."""
    path = [title for title, _ in sections(text) if _PATH_TO.search(title)]
    found = tuple(_path_item(item) for item in listed_under(text, path))
    return found or tuple(of_worry(concern, "diagnostic") for concern in listed_under(text, ("judge concerns",)))


def read_judge_report(text: str) -> tuple[Deficiency, ...]:
    return by_gap(of_worry(concern, "judge_report") for concern in listed_under(text, _WORRIES))


def read_verification(text: str) -> tuple[Deficiency, ...]:
    """Criteria that did not hold rate_gravity more than what is merely noted."""
    failed = [item for rows in tables(text) for row in rows if (item := _unverified(row))]
    return by_gap((*failed, *(of_worry(item, "verification") for item in listed_under(text, _FOUND))))


def _rank(deficiency: Deficiency) -> int:
    """What is good already comes last: a remark caps the whole, a tenth of a criterion hardly counts."""
    if deficiency.score is not None and deficiency.score >= QUALITY:
        return len(WEIGHTS)
    return WEIGHTS.index(deficiency.weight) if deficiency.weight in WEIGHTS else 0


def _carded(text: str) -> Iterator[Deficiency]:
    """From the tables. One of them may say more of what each criterion lost: why, and in which file."""
    rows = [row for table in tables(text) for row in table]
    reasons = {fold(cell(row, "criterion")): row for row in rows if "lost" in row}
    for row in rows:
        criterion, score = cell(row, "criterion", "criteria"), _number(cell(row, "score"))
        if not criterion or score is None or _WHOLE.match(criterion):
            continue
        more = reasons.get(fold(criterion), {})
        why = cell(more, "why") or cell(row, "justification", "deduction", "deductions", "why", "notes", "concerns")
        file = cell(more, "file") or _file(cell(row, "evidence")) or _file(why)
        yield Deficiency(plain(why or f"it scored {score:g}"), plain(criterion), score, plain(file), "scorecard")


def _in_sections(text: str) -> Iterator[Deficiency]:
    """A criterion a heading, with its score on a line of its own."""
    for title, body in sections(text):
        found = _SCORE_LINE.search(body)
        if found is None or not title or _WHOLE.match(title) or fold(title).endswith("scorecard"):
            continue
        criterion, reason = plain(_NUMBERED.sub("", plain(title))), _REASON.search(body)
        why = plain(reason[1]) if reason else f"it scored {float(found[1]):g}"
        yield Deficiency(why, criterion, float(found[1]), _file(body[:MOST_READ]), "scorecard")


def _path_item(item: str) -> Deficiency:
    """ "**file**: what is wrong -- what fixing it is worth"; an item without a file is taken as it is."""
    found = _PATH_ITEM.match(item)
    file, rest = (found[1].strip(), found[2]) if found and _FILE.search(found[1]) else (_file(item), item)
    description, _, impact = rest.partition(" -- ")
    settles = _QUOTED.search(impact)
    return Deficiency(plain(description), plain(settles[1]) if settles else "", None, plain(file), "diagnostic")


def _unverified(row: Row) -> Deficiency | None:
    criterion = cell(row, "criterion", "truth", "must-have", "artifact")
    word = cell(row, "verdict", "reading", "status", "result")
    if not criterion or not _FAILED.search(word):
        return None
    why = cell(row, "because", "evidence", "details", "gap", "issue") or word
    return Deficiency(plain(why), plain(criterion), None, _file(why) or _file(criterion), "verification", "high")


def _number(text: str) -> float | None:
    """ "8.2", "8.2/10" or "4.9 (rated 9.0)"; a percentage or a date is none."""
    found = _NUMBER.match(plain(text))
    return float(found[1]) if found and float(found[1]) <= PERFECT else None


def _file(text: str) -> str:
    found = _FILE.search(text)
    return found[0].removeprefix("./") if found else ""
