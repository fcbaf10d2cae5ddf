"""May a phase wait for a person? Only for what was tried in earnest and cannot be settled without one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from autopilot.model.assessment import CannotVerify
from autopilot.model.planning.plan import Task
from autopilot.text.lazy_regex import lazy_regex


class Settled(StrEnum):
    RESOLVED = "resolved"  # no person has to check
    DEFERRED = "deferred"
    REFUSED = "refused"  # the verifier is asked again


class DeferralVerdict(Struct, frozen=True):
    settled: Settled
    because: str
    task: str = ""  # the checkpoint that asks for the person


def judge_deferral(
    confidence: float, threshold: float, evidence: Sequence[CannotVerify], human_tasks: Sequence[Task]
) -> DeferralVerdict:
    """From the threshold on a verifier's confidence suffices; below it, it reports what it tried and why it failed."""
    if not human_tasks:
        if not evidence or confidence >= threshold:
            return DeferralVerdict(Settled.RESOLVED, "no task asks for a person")
        return DeferralVerdict(
            Settled.REFUSED, "no task of the plan asks for a person, so the phase cannot wait for one"
        )
    task = human_tasks[0].id
    if confidence >= threshold:
        return DeferralVerdict(Settled.RESOLVED, f"confidence {confidence:g} reaches {threshold:g}", task)
    if reason := refuse_evidence(evidence):
        return DeferralVerdict(Settled.REFUSED, reason, task)
    doubt = f"the verifier's confidence of {confidence:g} is below {threshold:g}, so it is left to you"
    because = f"{doubt}: {_short(evidence[0].why_insufficient)}"
    return DeferralVerdict(Settled.DEFERRED, because, task)


def refuse_evidence(evidence: Sequence[CannotVerify]) -> str:
    """Why this is no ground to ask a person, or "" when it is."""
    if not evidence:
        return "the deferral does not say which criterion is not verified, what was tried and why that was not enough"
    for entry in evidence:
        named = _short(entry.criterion) or "a criterion without a name"
        if not entry.criterion.strip():
            return "an entry does not name its criterion"
        if not any(method.strip() for method in entry.methods_attempted):
            return f"{named}: no method was tried"
        if is_vague(entry.why_insufficient):
            return f"{named}: {_short(entry.why_insufficient)!r} is not a specific reason"
    return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else line[:119] + "…"


# --- vocabulary -----------------------------------------------------------------------------------------------------
# A reason is vague when, without the words anyone could say of anything, fewer than three are left.
EMPTY = """
    a able about above all alone also an analysis and any app application appearance appears are as at automated
    automatically automation autonomous autonomously be because been but by can cannot check checked checking checks
    code component components confidence confident confirm confirmation confirmed confirming correct correctly criteria
    criterion could design determine display displayed displays do does doubt enough everything eye eyes feature find
    fine for from full fully good guarantee guaranteed had has have hard human humans i if in insufficient inspect
    inspected inspection interface is it its just know known layout like limited look looked looking looks manual
    manually may maybe me might more must my need needed needs no not nothing of ok okay on only or output page pages
    part people person phase possible possibly properly prove proven quite reading really reliably render rendered
    rendering renders require required requires result results review reviewed reviewer right screen screens screenshot
    screenshots see seem seems should show shown shows simply since so some something static still subjective sufficient
    sure task tell test tested testing tests that the there therefore they this through to tool tools ui uncertain
    unclear unknown unsure until user users validate validation verification verified verifier verify verifying very
    view visual visually was way we well what when where whether which will with without work worked working works would
    yet you
"""
EMPTY_WORDS = frozenset(EMPTY.split())
WORD = lazy_regex(r"[^\W_](?:[\w'’-]*[^\W_])?")


def is_vague(reason: str) -> bool:
    terms = {word.casefold() for word in WORD.findall(reason)}
    return len({word for word in terms if word not in EMPTY_WORDS and not _denies(word)}) < 3


def _denies(word: str) -> bool:
    """``can't``, ``isn't``, ``I'm``, ``it's``: what stands before the apostrophe says nothing either."""
    head, mark, tail = word.replace("’", "'").partition("'")
    return bool(mark) and (tail == "t" or head in EMPTY_WORDS)


# A checkpoint is generic when it asks for a visual check and names no workflow: neither an act and what it is done to
# ("click Save", "pays with a card") nor a flow by its name ("the checkout flow").
GENERIC = lazy_regex(
    r"\b(?:visual(?:s|ly)?|screen ?shots?|look(?:s|ed|ing)?|appearance|eyeball(?:s|ed|ing)?|ui phase|"
    r"(?:ui|interface|design) (?:review|check|inspection)|"
    r"(?:review|check|inspect)\w* (?:of )?(?:the )?(?:ui|interface|design)|"
    r"manual(?:ly)? (?:check|review|test|inspect|verif|confirm|validat)\w*)\b",
    re.IGNORECASE,
)
# Words that are as often the name of a thing (type, order, record, search) are left out.
ACTS = """
    add authori[sz]e buy cancel click connect create delete deploy dial dictate download drag edit enter export fill
    import install invite listen log login logout navigate paste pay pinch press print publish purchase receive register
    reload rename reset resize restart restore save scan scroll select send share sign speak submit subscribe swipe sync
    tap transfer unplug unsubscribe upgrade upload withdraw
"""
ACT = lazy_regex(
    rf"\b(?:{'|'.join(ACTS.split())})(?:s|es|ed|ing|ting|ping|ging|ning)?\b(?P<rest>[^.;!?\n]*)", re.IGNORECASE
)
FLOW = lazy_regex(
    r"(?<![\w-])(?P<name>[^\W\d_][\w-]*)[ -](?:flow|workflow|journey|round[ -]?trip|wizard|transaction)s?\b",
    re.IGNORECASE,
)
VAGUE_OBJECTS = """
    alignment around anything button buttons change changes color colors colour colours each element elements every font
    fonts footer frontend header her his home homepage item items mockup mockups navbar new nice nicely out over perfect
    pixel polish responsive sidebar site spacing stuff style styles styling their them theme thing things up various
    website whole widget widgets your
"""
SAYS_NOTHING = EMPTY_WORDS.union(VAGUE_OBJECTS.split())


def is_generic(description: str) -> bool:
    """Whether a checkpoint asks for no more than a visual check. An empty description is generic too."""
    if not description.strip():
        return True
    return GENERIC.search(description) is not None and not names_workflow(description)


def names_workflow(description: str) -> bool:
    acts = (WORD.findall(found["rest"])[:6] for found in ACT.finditer(description))
    flows = (found["name"] for found in FLOW.finditer(description))
    done_to = (word for phrase in acts for word in phrase)
    return any(_is_definite(word) for word in (*done_to, *flows))


def _is_definite(word: str) -> bool:
    return word.casefold() not in SAYS_NOTHING and not GENERIC.fullmatch(word) and not _denies(word.casefold())
