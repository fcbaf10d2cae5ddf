"""An answers file: the user's answers to gates that are open, or will be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, NAME, normalise
from autopilot.text.fences import parse_fence
from autopilot.text.lazy_regex import lazy_regex

OF_AN_ISSUE = r"route-\d+|requirements-\d+-\d+|design-\d+-\d+|cause-\d+-\d+"
_PHASE = rf"(?:{ID}|{NAME})"
GATE = rf"checkpoint-\d+|map|areas-{_PHASE}|discuss-{_PHASE}-\d+|{OF_AN_ISSUE}"
_QUESTION = r"[0-9]{1,6}[A-Za-z]?(?:\.[0-9]{1,6})+"  # a phase or an area, and a number
LEFT_OUT = ("-", "skip")  # an answer left out on purpose
VERDICTS = ("pass", "fail", "issues_found")
_HEADING = lazy_regex(r"(#{1,6})\s++(.*)$")
_NAMES_GATE = lazy_regex(rf"(?:gate\s+)?`?({GATE})`?(?![\w-])", re.IGNORECASE)
_NAMES_PHASE = lazy_regex(rf"phase\s++({ID})(?![\w.-]{{0,80}}\w)|({ID})(?=\s*+(?:$|:))", re.IGNORECASE)
_ITEM = lazy_regex(
    rf"""(?:[-*+]\s+)?(?:\*\*|__)?
    (?:phase\s+(?P<phase>{ID})\s*[,:]?\s+)?+
    (?:Q\s?(?P<number>\d+)|Q?(?P<id>{_QUESTION})|(?P<gate>checkpoint-\d+|areas-{ID}|{OF_AN_ISSUE})
    |(?P<word>areas|answer|more|verdict|issue|route|cause|stories|plan|tests))
    (?:\*\*|__)?\s*:(?:\*\*|__)?(?:\s+(?P<text>.*)|)$""",
    re.IGNORECASE | re.VERBOSE,
)
_DECISION = lazy_regex(r"(approve|reject)d?\b[\s:,.-]*(.*)", re.IGNORECASE | re.DOTALL)
_PICK = lazy_regex(r"all|none|[\d,\s]+", re.IGNORECASE)
_INDENT = lazy_regex(r"^(?:\t| {1,4})")


class WrittenAnswer(Struct, frozen=True):
    """One thing the file says. ``about`` is a question's id or number, or one of the words of ``_ITEM``."""

    line: int
    about: str
    text: str
    gate: str = ""
    phase: PhaseId | None = None


class Reply(Struct, frozen=True):
    """``lines`` it was made from, questions ``lacking`` an answer, ``problems`` for which it cannot be used."""

    answers: Mapping[str, str] = {}
    approved: bool | None = None
    comment: str = ""
    more: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    lacking: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        return not self.lacking and not self.problems


class Misread(Struct, frozen=True):
    line: int
    why: str


class Answers(Struct, frozen=True):
    file: str = ""
    written: tuple[WrittenAnswer, ...] = ()
    misread: tuple[Misread, ...] = ()

    def place(self, line: int) -> str:
        return f"{self.file}:{line}"

    def complaints(self) -> tuple[str, ...]:
        return tuple(f"{self.place(misread.line)}: {misread.why}" for misread in self.misread)


def parse_answers(text: str, file: str) -> Answers:
    """Everything that can be understood, and the lines that cannot.

    Indented lines belong to the answer above them whatever they look like; lines that begin with `>` are the questions,
    and no answer.
    """
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    reader = _Reader()
    fenced = _fenced(lines)
    for number, line in enumerate(lines, 1):
        reader.read(number, line, is_code=number in fenced)
    reader.close()
    return Answers(file, tuple(reader.written), tuple(reader.misread))


def parse_decision(text: str) -> tuple[bool, str] | None:
    """Whether a checkpoint is approved, and the comment; None when the text is neither."""
    found = _DECISION.fullmatch(text.strip())
    return (found[1].lower() == "approve", found[2].strip()) if found else None


class _Reader:
    """What was read last, and where in the file it stands."""

    def __init__(self) -> None:
        self.written: list[WrittenAnswer] = []
        self.misread: list[Misread] = []
        self._gate, self._gate_level = "", 0
        self._phase: PhaseId | None = None
        self._phase_level = 0
        self._open: WrittenAnswer | None = None

    def read(self, number: int, line: str, is_code: bool) -> None:
        content = line.strip()
        if self._open is not None and (is_code or not content or line[:2].isspace() or line[0] == "\t"):
            self._go_on(line)
        elif is_code or not content:
            return
        elif content.startswith(">"):
            self.close()
        elif found := _HEADING.fullmatch(content):
            self.close()
            self._enter(len(found[1]), found[2].rstrip("# \t\r"))
        elif (item := self._item(number, content)) is not None:
            self.close()
            self._open = item
        elif self._open is not None:
            self._go_on(line)
        else:
            self.misread.append(Misread(number, f"this line does not show which question it answers: {content[:60]}"))

    def close(self) -> None:
        if self._open is not None:
            self.written.append(replace(self._open, text=self._open.text.strip()))
            self._open = None

    def _go_on(self, line: str) -> None:
        assert self._open is not None
        self._open = replace(self._open, text=f"{self._open.text}\n{_INDENT.sub('', line, count=1).rstrip()}")

    def _enter(self, level: int, title: str) -> None:
        """A heading ends what headings of its rank and below it said; one that names neither only structures."""
        if level <= self._gate_level:
            self._gate, self._gate_level = "", 0
        if level <= self._phase_level:
            self._phase, self._phase_level = None, 0
        if found := _NAMES_GATE.match(title):
            self._gate, self._gate_level = _spell_gate(found[1]), level
            self._phase, self._phase_level = None, 0
        elif found := _NAMES_PHASE.match(title):
            self._phase, self._phase_level = normalise(found[1] or found[2]), level

    def _item(self, number: int, content: str) -> WrittenAnswer | None:
        found = _ITEM.match(content)
        if found is None:
            return self._bare(number, content)
        text, phase = found["text"] or "", normalise(found["phase"]) if found["phase"] else self._phase
        if found["gate"]:
            return WrittenAnswer(number, "answer", text, _spell_gate(found["gate"]))
        gate = "" if found["phase"] and not self._gate.startswith("map") else self._gate
        if found["number"] or found["id"]:
            return WrittenAnswer(number, found["number"] or normalise(found["id"]), text, gate, phase)
        word = found["word"].lower()
        return WrittenAnswer(number, word, text, gate, phase) if _fits(word, gate, phase) else None

    def _bare(self, number: int, content: str) -> WrittenAnswer | None:
        """Where a gate has one question, the answer may stand for itself."""
        decides = self._gate.startswith("checkpoint") and parse_decision(content) is not None
        decides = decides or re.fullmatch(OF_AN_ISSUE, self._gate) is not None
        picks = self._gate.startswith("areas") and _PICK.fullmatch(content)
        free = self._open is None
        return WrittenAnswer(number, "answer", content, self._gate) if free and (decides or picks) else None


def _fits(word: str, gate: str, phase: PhaseId | None) -> bool:
    """Whether such a word means anything there; elsewhere it is a word like others."""
    match word:
        case "answer":
            return gate.startswith(("checkpoint", "areas")) or re.fullmatch(OF_AN_ISSUE, gate) is not None
        case "route" | "cause":
            return gate.startswith(f"{word}-")
        case "stories" | "plan" | "tests":
            return gate.startswith("design-")
        case "areas":
            return gate.startswith("areas") or (not gate and phase is not None)
        case "more":
            return gate.startswith("discuss")
        case _:
            return not gate and phase is not None


def _spell_gate(name: str) -> str:
    """Gates of phases by the one spelling of their phase."""
    kind, _, rest = name.lower().partition("-")
    if not rest or kind == "checkpoint":
        return name.lower()
    phase, dash, turn = rest.partition("-")
    return f"{kind}-{normalise(phase)}{dash}{turn}"


def _fenced(lines: Sequence[str]) -> set[int]:
    """Numbers of lines in code fences, marks included. A fence that is never closed is none."""
    fenced: set[int] = set()
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines, 1):
        fence = parse_fence(line)
        if fence is None:
            continue
        if opened is None:
            opened = number, fence.mark
        elif fence.closes(opened[1]):
            fenced.update(range(opened[0], number + 1))
            opened = None
    return fenced


def compose_rejection(comment: str, sections: Mapping[str, str]) -> str:
    """One text, each document's part under its name; of several lines below it, so that all of them belong to it."""
    given = ((name, text.strip()) for name, text in sections.items() if text.strip())
    parts = [f"{name}:\n{text}" if "\n" in text else f"{name}: {text}" for name, text in given]
    return "\n".join(filter(None, (comment.strip(), *parts)))
