"""The account of one promise: what came of it, and on whose word.

Proof is what we ran and saw. A reviewer's reading is an opinion: it accounts for a promise that no command can check,
and never proves one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.assessment import CriterionReading
from autopilot.model.evidence.place import names_place
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import identity
from autopilot.model.planning.promise import Promise, Source


class Accounted(StrEnum):
    PROVEN = "proven"
    UNSPOKEN = "not spoken of"  # its checks are green, and none of them speaks of anything that it says
    JUDGED = "judged"  # a reviewer's opinion, with file and line
    ACCEPTED = "accepted"  # a person looked at it and passed it
    PERSON = "for a person"  # nobody else can tell
    UNSEEN = "not looked at"  # the same, in a phase that landed before that person looked, as the settings say
    FAILED = "failed"
    UNCHECKED = "not checked"


class Account(Struct, frozen=True):
    name: str
    text: str
    source: Source
    status: Accounted
    by: tuple[str, ...] = ()  # ids of the criteria that were run for it
    because: str = ""
    unread: bool = False  # a reviewer has to read it, and has not, or names no place
    read: bool = False  # by a reviewer, whose evidence is the reason where it names a place
    brought: bool = False  # proven by nothing but tests that came with the work

    def is_proven_by(self, checks: Set[str]) -> bool:
        """Whether these alone, or some of them, prove it."""
        return self.status is Accounted.PROVEN and bool(self.by) and checks >= set(self.by)


class Known(Struct, frozen=True):
    """What is known of a phase when it is asked for an account."""

    verdicts: Sequence[Verdict] = ()
    readings: Sequence[CriterionReading] | None = None  # None: no verifier has reported
    passed_by_person: bool = False
    fixed_for_person: bool = False  # a person found issues, and the verifier sees them fixed
    found_by_person: str = ""  # what a person found wrong, while nothing was changed for it


# Between two clauses.
_JOINTS = frozenset(
    {"and", "or", "but", "with", "without", "when", "whenever", "where", "while", "if", "unless", "until", "that", "so"}
)
NOT_YET = "not judged yet"
LEFT_OUT = "the verifier's report does not say anything about it"
NO_PLACE = "the verifier's reading names no file and line"


def account_for(promise: Promise, checks: Sequence[str], person: str, known: Known) -> Account:
    """By evidence where there is any, else by a person, else by a reviewer."""
    judged = [v for v in known.verdicts if v.about.without_layer in checks]
    if judged and not person:
        return _by_evidence(promise, checks, judged)
    if promise.source is Source.REQUIREMENT:
        return _account(promise, Accounted.UNCHECKED, NOT_YET if checks else "the plan traces it to no check that ran")
    if person:
        return _by_person(promise, person, known)
    return _by_reading(promise, known)


def _account(
    promise: Promise, status: Accounted, because: str, by: Sequence[str] = (), unread: bool = False
) -> Account:
    return Account(promise.name, promise.text, promise.source, status, tuple(by), because, unread)


def _by_evidence(promise: Promise, checks: Sequence[str], judged: Sequence[Verdict]) -> Account:
    seen = {verdict.about.without_layer for verdict in judged}
    by = [id for id in checks if id in seen]
    bad = next((verdict for verdict in judged if verdict.outcome is not Outcome.PASS), None)
    if bad is None:
        return _account(promise, Accounted.PROVEN, "", by)
    status = Accounted.FAILED if bad.outcome is Outcome.FAIL else Accounted.UNCHECKED
    return _account(promise, status, f"{bad.subject}: {bad.because}", by)


def _by_person(promise: Promise, why: str, known: Known) -> Account:
    if known.passed_by_person:
        return _account(promise, Accounted.ACCEPTED, f"a person passed it ({why})")
    if known.found_by_person:
        return _account(promise, Accounted.FAILED, f"a person found fault: {known.found_by_person}")
    if known.fixed_for_person:
        return _account(promise, Accounted.JUDGED, "the verifier reports the issues that a person found as fixed")
    return _account(promise, Accounted.PERSON, why)


def _by_reading(promise: Promise, known: Known) -> Account:
    if known.readings is None:
        return _account(promise, Accounted.UNCHECKED, NOT_YET)
    readings = [reading for reading in known.readings if promise.is_named_by(reading.criterion)]
    if not readings:
        return _account(promise, Accounted.UNCHECKED, LEFT_OUT, unread=True)
    if failed := next((reading for reading in readings if reading.status == "failed"), None):
        return _account(promise, Accounted.FAILED, failed.evidence)
    doubt = next((reading for reading in readings if reading.status != "verified"), None)
    if doubt is not None:
        return _by_person(promise, f"the verifier could not tell: {doubt.evidence}", known)
    shown = next((reading for reading in readings if names_place(reading.evidence)), None)
    if shown is None:
        return replace(_account(promise, Accounted.UNCHECKED, NO_PLACE, unread=True), read=True)
    return replace(_account(promise, Accounted.JUDGED, shown.evidence), read=True)


def doubt_unspoken(accounts: Sequence[Account], mapped: Set[str], clauses: Sequence[str]) -> tuple[Account, ...]:
    """The same accounts, where those clauses are spoken of by no check: green is no proof of what nothing asks for.

    ``mapped``: names of those that a plan maps to checks; one with a command of its own says itself what shows it.
    """
    return tuple(
        replace(account, status=Accounted.UNSPOKEN)
        if account.status is Accounted.PROVEN and account.name in mapped and _is_all_of(account.text, clauses)
        else account
        for account in accounts
    )


def _is_all_of(text: str, clauses: Sequence[str]) -> bool:
    """Whether a promise says nothing beside these clauses."""
    rest = whole = identity(text.replace("*", ""))
    for clause in sorted(clauses, key=len, reverse=True):
        rest = rest.replace(identity(clause), " ")
    return rest != whole and _JOINTS.issuperset(re.findall(r"\w+", rest))


def land_unseen(accounts: Sequence[Account]) -> tuple[Account, ...]:
    """The same accounts, of a phase that does not wait for the person it needs."""
    waits = (account.status is Accounted.PERSON for account in accounts)
    return tuple(
        replace(account, status=Accounted.UNSEEN) if is_waiting else account
        for account, is_waiting in zip(accounts, waits, strict=True)
    )


class Tally(Struct, frozen=True):
    """How the promises of one source stand."""

    total: int
    counts: Mapping[Accounted, int]
    brought: int = 0  # of those proven, how many by tests that came with the work alone

    def of(self, status: Accounted) -> int:
        return self.counts.get(status, 0)

    @property
    def proven(self) -> int:
        return self.of(Accounted.PROVEN)

    @property
    def whose_tests(self) -> str:
        """Behind the number of those proven: what is shown by tests that an agent wrote is shown on its terms."""
        return f" ({self.brought} by tests that came with the work)" if self.brought else ""


def tally(accounts: Sequence[Account], source: Source = Source.ROADMAP) -> Tally:
    mine = [account for account in accounts if account.source is source]
    counts = Counter(account.status for account in mine)
    return Tally(len(mine), counts, sum(account.brought for account in mine))


WORDS: Mapping[Accounted, tuple[str, str]] = {  # of one, of several
    Accounted.UNSPOKEN: ("green by checks that do not speak of it", "green by checks that do not speak of them"),
    Accounted.JUDGED: ("judged by a reviewer (opinion)",) * 2,
    Accounted.ACCEPTED: ("accepted by a person",) * 2,
    Accounted.PERSON: ("waits for you", "wait for you"),
    Accounted.UNSEEN: ("for you to look at, landed without",) * 2,
    Accounted.FAILED: ("failed",) * 2,
    Accounted.UNCHECKED: ("not checked",) * 2,
}
NAMES: Mapping[Source, tuple[str, str]] = {
    Source.ROADMAP: ("criterion of the roadmap", "criteria of the roadmap"),
    Source.MUST_HAVE: ("must-have of the plan", "must-haves of the plan"),
    Source.REQUIREMENT: ("requirement", "requirements"),
}


def tally_words(found: Tally, source: Source = Source.ROADMAP) -> str:
    """ "2 of 5 criteria of the roadmap proven, 2 judged by a reviewer (opinion), 1 waits for you"."""
    proven = f"{found.proven} of {found.total} {NAMES[source][found.total != 1]} proven{found.whose_tests}"
    others = ((found.of(status), WORDS[status]) for status in WORDS)
    return ", ".join([proven, *(f"{count} {forms[count != 1]}" for count, forms in others if count)])


def headline(accounts: Sequence[Account]) -> str:
    """The first line of every report on a phase: of the roadmap's criteria first, then of the plan's must-haves."""
    found = ((source, tally(accounts, source)) for source in (Source.ROADMAP, Source.MUST_HAVE))
    return "; ".join(tally_words(counted, source) for source, counted in found if counted.total)
