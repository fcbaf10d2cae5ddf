"""Clauses: the single things that a goal or a criterion asks for, and which of them any check speaks of.

By words alone: a check that has the words of a clause need not ask for it, but one that has none of them does not. What
is found here is therefore only ever shown and asked of reviewers, never held against the work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from autopilot.planning.spec.speaking import are_spelled, asks_as_promised, leaves_unlooked, marks_of

LONGEST = 20_000
MOST = 40
_SENTENCE = re.compile(r"(?<=[.!?])\s|\n(?=[ \t]{0,8}(?:[-*+]|\d{1,3}[.)])\s)|\n(?=[ \t]{0,8}\n)")
_BULLET = re.compile(r"\s{0,8}(?:[-*+]|\d{1,3}[.)])\s")
# What joins two things that are asked for, or adds the condition under which one of them is.
_JOINT = re.compile(
    r"[;,:()](?:\s(?:and|but|or)\s)?|\s--?\s|[–—]|\s(?=(?:and|but|with|without|when|whenever|where|while|if|unless|"
    r"until|except|even|including|after|before|so that|such that|rather than|instead of|in order to)\s)",
    re.IGNORECASE,
)
# Where and how, in one word: a part of what stands before it.
_ADVERB = re.compile(
    r"(?:and\s+|or\s+|but\s+)?(?:in|from|on|at|by|for|to|of|as|like|via|per|into|over)\s", re.IGNORECASE
)
_CODE = re.compile(r"`[^`\n]{0,500}`|\"[^\"\n]{0,500}\"|\b\w{1,80}\([^()\n]{0,200}\)")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+(?:\.\d+)?|[^\W\d_a-zA-Z]+")
_DOCUMENT = re.compile(r"(?<![\w./-])[\w-][\w./-]{0,200}\.(?:md|markdown|rst|txt|adoc)\b")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e", "y")


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_PLAIN = _set(
    "a about above access across add added adds all allow allows also an and any app application are as at "
    "available based be because been before being below between both but by call called can cannot code complete "
    "correct correctly could create data do does done each either enable ensure even every everything exist "
    "existing fail feature file files first for from full fully function functions get give given gives has have "
    "how if implement implementation implemented in including input instead into is it its itself just keep kept "
    "later least made make makes making may module more most must need needed new no not nothing now of off on once "
    "one only or order other others our out over own part pass passes per phase place plan plans possible project "
    "proper properly provide provides rather real regression regressions result results return returned returns run "
    "runs same set should show shows simple so some something still such suite support supports system take takes "
    "test tested tests than that the their them then there these they thing things this those through to two under "
    "until up use used user users uses using value values via want was way well were what when whenever where "
    "whether which while who whole will with within without work working works would yet you your"
)


def read_clauses(texts: Iterable[str]) -> tuple[str, ...]:
    """In their order, each once: pieces of sentences that have words of their own."""
    found = (clause for text in texts for clause in _pieces(text[:LONGEST]))
    return tuple(dict.fromkeys(clause for clause in found if content_words(clause)))[:MOST]


def unasked(clauses: Sequence[str], checks: Iterable[str], *, as_promised: bool = True) -> tuple[str, ...]:
    """Those of which no single check has half of the words that tell them from the others, and expects a failure where
    one is promised; or whose numbers and names no check spells. Words that only announce a check (not ``as_promised``)
    expect nothing yet."""
    spoken = [(check, content_words(check)) for check in checks]
    contents = {clause: content_words(clause) for clause in clauses}
    shared = Counter(word for own in contents.values() for word in own)
    everything = "\n".join(check for check, _ in spoken)
    return tuple(
        clause
        for clause, own in contents.items()
        if not are_spelled(marks_of(clause), everything)
        or (as_promised and leaves_unlooked(clause, [check for check, _ in spoken]))
        or not any(
            _is_spoken(own, shared, content) and (not as_promised or asks_as_promised(clause, check))
            for check, content in spoken
        )
    )


def content_words(text: str) -> frozenset[str]:
    """Without what every sentence has and the endings of words; names are read as the words they are made of."""
    spelled = (found[0].casefold() for found in _WORD.finditer(text))
    return frozenset(_stem(word) for word in spelled if word not in _PLAIN and (len(word) > 1 or word.isdigit()))


def _is_spoken(own: frozenset[str], shared: Counter[str], spoken: frozenset[str]) -> bool:
    telling = frozenset(word for word in own if shared[word] == 1) or own
    return 2 * len(telling & spoken) >= len(telling)


def _pieces(text: str) -> Iterator[str]:
    for part in _SENTENCE.split(text):
        sentence = " ".join(_BULLET.sub("", part, count=1).split()) if _BULLET.match(part) else " ".join(part.split())
        codes = [(found.start(), found.end()) for found in _CODE.finditer(sentence)]
        start = 0
        for joint in _JOINT.finditer(sentence):
            is_code = any(first < joint.end() and joint.start() < last for first, last in codes)
            if not is_code and not _is_adverb(sentence[joint.end() :]):
                yield _trimmed(sentence[start : joint.start()])
                start = joint.end()
        yield _trimmed(sentence[start:])


def _is_adverb(rest: str) -> bool:
    found = _ADVERB.match(rest.lstrip())
    return found is not None and len(content_words(_JOINT.split(rest.lstrip(), maxsplit=1)[0])) < 2


def _trimmed(piece: str) -> str:
    return " ".join(piece.replace("*", "").split()).strip(" .,;:!?-–—#>|")


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def named_documents(texts: Iterable[str]) -> tuple[str, ...]:
    """Paths of documents, as sentences name them."""
    return tuple(dict.fromkeys(found[0] for text in texts for found in _DOCUMENT.finditer(text[:LONGEST])))
