"""The score of a phase, computed and capped by code from the rater's card."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from autopilot.model.assessment import Rating, Score, Trace, Traced
from autopilot.model.evidence.place import FILE_LINE, names_place
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import identity
from autopilot.model.ruling import Band, Deduction

BANDS = (
    (9.5, Band.EXCELLENCE),
    (8.0, Band.GOOD),
    (7.0, Band.ACCEPTABLE),
    (5.0, Band.SIGNIFICANT_GAPS),
    (3.0, Band.MAJOR_FAILURES),
    (0.0, Band.NOT_IMPLEMENTED),
)
# A word of a command that looks like a file of the project; options do not.
COMMAND_WORD = re.compile(r"[^\s'\"`;|&()<>=,]+")
FILE_NAME = re.compile(r"(?!-)(?:[\w.@-]+/)*[\w.@-]+\.[A-Za-z]\w{0,7}")
FAILED_CAP, NO_EVIDENCE_CAP, CONCERN_CAP = 4.9, 6.9, 9.4
EXAMPLE_CAP = 9.4  # one example can be good evidence; excellent it is not, for one answer can be known by heart
HIGHEST = 10.0
EMPTY_REMARKS = frozenset({"", "-", "none", "none found", "n/a", "nothing"})


class Card(Struct, frozen=True):
    """A rating and everything it is held against. Criteria are known by their text."""

    rating: Rating
    verdicts: Mapping[str, Verdict]  # what evidence says of them
    criteria: Sequence[str] = ()  # those that count; when none are named, all that were scored
    weights: Mapping[str, float] = {}  # what they weigh; 1 by default
    behavioural: Collection[str] = ()  # which of them ask to trace code
    traces: Sequence[Trace] = ()  # of other reviewers
    examples: Collection[str] = ()  # which of them rest on one example
    weak: Collection[str] = ()  # which of them hold with other values of the same type
    looked_at: Collection[str] = ()  # which of them say how something looks
    look: tuple[float, str] = (0.0, "")  # the points that new defects of the interface cost these, and why


class Capped(Struct, frozen=True):
    """What one criterion's score counts as, and the cap that lowered it."""

    score: float
    because: str = ""


def refuse_rating(rating: Rating, criteria: Sequence[str]) -> str:
    """Why a rater's card cannot be used, or "" when it can."""
    if not rating.scorecard:
        return "the scorecard is empty"
    if not any(command.strip() for command in rating.commands_run):
        return "the rater ran no command"
    scored = {identity(entry.criterion) for entry in rating.scorecard}
    missing = [text for text in criteria if identity(text) not in scored]
    return f"no score for: {'; '.join(missing[:3])}" if missing else ""


def compute_score(card: Card, scope_creep: Sequence[str] = ()) -> float:
    """Weighted mean of the capped scores, rounded down. A criterion that the rater leaves out counts as nothing.

    ``scope_creep`` is what we saw ourselves.
    """
    rating, capped = card.rating, cap_scores(card)
    heavy = weights_of(capped, card.weights)
    if not capped:
        return 0.0
    # Exact fractions: a quotient of decimals is itself rounded, and may be rounded up to the next tenth.
    mean = sum(Fraction(str(capped[text].score)) * heavy[text] for text in capped) / sum(heavy.values())
    if any(_says_something((*rating.side_effects, *rating.concerns, *rating.scope_creep, *scope_creep))):
        mean = min(mean, Fraction(str(CONCERN_CAP)))
    return math.floor(mean * 10) / 10


def deductions(
    card: Card, *, commands: Mapping[str, str] | None = None, files: Mapping[str, Sequence[str]] | None = None
) -> tuple[Deduction, ...]:
    """Every criterion that lost points, the one that costs the phase most first.

    ``commands`` and ``files`` (by a criterion's text: its command, the files of its task) name the place to fix when
    the rater's evidence does not.
    """
    capped, entries = cap_scores(card), _entries(card.rating)
    heavy = weights_of(capped, card.weights)
    command_of = {identity(text): command for text, command in (commands or {}).items()}
    files_of = {identity(text): named for text, named in (files or {}).items()}
    spelled = {identity(text): text for text in (*(entry.criterion for entry in entries.values()), *card.criteria)}
    found = []
    for text, counted in capped.items():
        lost = Fraction(10) - Fraction(str(counted.score))
        entry = entries.get(text)
        justification = entry.justification.strip() if entry else ""
        why = (
            f"{counted.because} (the rater: {justification})"
            if counted.because and justification
            else counted.because or justification
        )
        file = _place(entry.evidence if entry else "", command_of.get(text, ""), files_of.get(text, ()))
        impact = math.floor(lost * heavy[text] / sum(heavy.values()) * 100) / 100
        found.append(Deduction(spelled[text], counted.score, float(lost), impact, why or "no reason was given", file))
    return tuple(sorted((deduction for deduction in found if deduction.lost), key=lambda deduction: -deduction.impact))


def _entries(rating: Rating) -> Mapping[str, Score]:
    """The entry that counts of each criterion: of several the lowest."""
    by_score = sorted(rating.scorecard, key=lambda entry: entry.score, reverse=True)
    return {identity(entry.criterion): entry for entry in by_score}


def _place(evidence: str, command: str, files: Sequence[str]) -> str:
    if found := FILE_LINE.search(evidence):
        return found[0].rpartition(":")[0].removeprefix("./")
    names = [word.removeprefix("./") for word in COMMAND_WORD.findall(command) if FILE_NAME.fullmatch(word)]
    listed = [name.strip("` ").removeprefix("./") for name in files]
    named = [word for word in names if word in listed]
    in_folders = [word for word in names if "/" in word]
    return next(iter([*named, *listed, *in_folders, *names]), "")


def cap_scores(card: Card) -> Mapping[str, Capped]:
    """Each criterion's score after its caps. One scored twice counts by its lower score, an unknown one not."""
    known = {identity(text): verdict for text, verdict in card.verdicts.items()}
    asked = {identity(text) for text in card.behavioural}
    marked = (card.examples, card.weak, card.looked_at)
    alone, weak, looks = ({identity(text) for text in texts} for texts in marked)
    followed: dict[str, list[Trace]] = {}
    for trace in (*card.rating.traces, *card.traces):
        followed.setdefault(identity(trace.criterion), []).append(trace)
    scored: dict[str, Capped] = {}
    for entry in card.rating.scorecard:
        text = identity(entry.criterion)
        caps = [
            *_caps(entry, known.get(text), text in asked, followed.get(text, ())),
            *_caps_of_check(is_alone=text in alone, is_weak=text in weak),
        ]
        counted = _capped(entry, caps)
        if text in looks and card.look[0]:
            points, because = card.look
            lowered = round(max(0.0, counted.score - points), 2)
            counted = Capped(lowered, "; ".join(filter(None, (counted.because, because))))
        scored[text] = min(counted, scored.get(text, counted), key=lambda candidate: candidate.score)
    wanted = dict.fromkeys(identity(text) for text in card.criteria) or scored
    return {text: scored.get(text, Capped(0.0, "it was not scored")) for text in wanted}


def weights_of(criteria: Collection[str], weights: Mapping[str, float]) -> Mapping[str, Fraction]:
    """What each criterion weighs. A weight that is no positive number counts as 1: none may be weighed away."""
    given = {identity(text): weight for text, weight in weights.items() if math.isfinite(weight) and weight > 0}
    return {text: Fraction(str(given.get(text, 1.0))) for text in criteria}


def _capped(entry: Score, caps: Sequence[tuple[float, str]]) -> Capped:
    score = min(max(0.0, entry.score), HIGHEST)  # in this order, what is not a number counts as nothing
    for cap, because in caps:
        if score > cap:
            return Capped(cap, because)
    return Capped(score)


def _caps(
    entry: Score, verdict: Verdict | None, behavioural: bool, traces: Sequence[Trace]
) -> Iterator[tuple[float, str]]:
    """Every cap by what was found of the criterion, the lowest first."""
    if verdict is not None and verdict.outcome is not Outcome.PASS:
        yield FAILED_CAP, verdict.because
    if any(trace.status is Traced.CONTRADICTED for trace in traces):
        yield FAILED_CAP, "the traced code does not do what the criterion says"
    if behavioural and not traces:
        yield NO_EVIDENCE_CAP, "the criterion asks for a trace, and none was given"
    elif behavioural and not all(_is_followed(trace) for trace in traces):
        yield NO_EVIDENCE_CAP, "the trace does not reach the final action"
    if not names_place(entry.evidence):
        yield NO_EVIDENCE_CAP, "no file and line is named as evidence"


def _caps_of_check(*, is_alone: bool, is_weak: bool) -> Iterator[tuple[float, str]]:
    """Every cap by how little its check asks; none is lower than those by what was found."""
    if is_alone:
        yield EXAMPLE_CAP, "it rests on one example: add another, or a test"
    if is_weak:
        yield EXAMPLE_CAP, "it holds with other values of the same type: compare the value"


def _is_followed(trace: Trace) -> bool:
    """A trace counts only from a place in the code to a place in the code."""
    places = (trace.trigger, trace.terminal_action)
    return trace.status is Traced.VERIFIED and all(names_place(place) for place in places)


def _says_something(lines: Sequence[str]) -> Iterator[bool]:
    return (line.strip().rstrip(".").casefold() not in EMPTY_REMARKS for line in lines)


def band(score: float) -> Band:
    return next((name for floor, name in BANDS if score >= floor), BANDS[-1][1])
