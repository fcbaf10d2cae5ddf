"""An agent's answer as a typed value: what each role replies with, and how an answer is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import TypeVar

import msgspec
from msgspec import Struct

from autopilot.model.agent import Role
from autopilot.model.assessment import (
    Divergence,
    JudgeFindings,
    MiniVerification,
    PlanCheck,
    SplitProposal,
    Verification,
)
from autopilot.model.audit import AuditReport, IntegrationReport, VersionAdvice
from autopilot.model.claim import (
    AnalystClaim,
    DebuggerClaim,
    DesignClaim,
    DiagnosisClaim,
    ExecutorClaim,
    ImplementerClaim,
    PlannerClaim,
    ResearchClaim,
)
from autopilot.model.proposal import Digest, FollowUps, GrayAreas, ProposedQuestions
from autopilot.ports.rating import RatingReply
from autopilot.ports.wire import wire_schema as wire_schema  # one import gives both directions

REPLIES: Mapping[Role, type[Struct]] = {
    Role.RESEARCHER: ResearchClaim,
    Role.PLANNER: PlannerClaim,
    Role.PLAN_CHECKER: PlanCheck,
    Role.EXECUTOR: ExecutorClaim,
    Role.DEBUGGER: DebuggerClaim,
    Role.MINI_VERIFIER: MiniVerification,
    Role.VERIFIER: Verification,
    Role.JUDGE: JudgeFindings,  # and Divergence in its second call
    Role.RATER: RatingReply,
    Role.SPLITTER: SplitProposal,
    Role.QUESTIONER: ProposedQuestions,
    Role.DISCUSSER: GrayAreas,  # then FollowUps as often as its user wants more, at last Digest
    Role.AUDITOR: IntegrationReport,  # then AuditReport, and VersionAdvice where the project has rules of its own
    Role.ANALYST: AnalystClaim,
    Role.DESIGNER: DesignClaim,  # and DiagnosisClaim where it searches for a cause
    Role.IMPLEMENTER: ImplementerClaim,
}

# A reply over its cap is refused, not truncated: half a list of concerns reads like fewer concerns.
REPLY_BYTES: Mapping[type, int] = {
    ResearchClaim: 256_000,
    PlannerClaim: 64_000,
    PlanCheck: 128_000,
    ExecutorClaim: 128_000,
    DebuggerClaim: 128_000,
    Verification: 256_000,
    MiniVerification: 64_000,
    JudgeFindings: 128_000,
    Divergence: 128_000,
    RatingReply: 256_000,
    SplitProposal: 64_000,
    ProposedQuestions: 64_000,
    GrayAreas: 64_000,
    FollowUps: 64_000,
    Digest: 128_000,
    IntegrationReport: 128_000,
    AuditReport: 512_000,  # as long as a spec is
    VersionAdvice: 16_000,
    AnalystClaim: 64_000,
    DesignClaim: 64_000,
    DiagnosisClaim: 64_000,
    ImplementerClaim: 64_000,
}

# json_repair takes time by the square of what it is given, and more with every level: 16 KB of `{true ` cost it 60 s.
REPAIRED_CHARS = 4_000
REPAIRED_DEPTH = 24
LARGEST_REPLY = max(REPLY_BYTES.values())
HIGHEST_MARK = 10.0
HIGHEST_COUNT = 100_000

Reply = TypeVar("Reply")


class Problem(Struct, frozen=True):
    """Why an answer could not be used; worded so that it can be shown to the agent that gave it."""

    because: str


def read_reply(answer: object, kind: type[Reply]) -> Reply | Problem:
    """Read an answer given as text or as plain JSON data. Never raises, whatever the answer is.

    The rungs are tried in order and the first that gives a valid reply wins. Fields we do not know are let
    through: vendors add their own. Of several problems the last is reported: each rung is more tolerant.
    """
    text = answer if isinstance(answer, str) else _as_json(answer)
    if isinstance(text, Problem):
        return text
    limit = REPLY_BYTES.get(kind, LARGEST_REPLY)
    if (size := len(text.encode(errors="replace"))) > limit:
        return Problem(f"the reply has {size} bytes, over its cap of {limit}")
    problem = Problem("the reply is empty")
    for rung in RUNGS:
        for candidate in rung(text):
            reply = _read_strictly(candidate, kind)
            if not isinstance(reply, Problem):
                return reply
            problem = reply
    return problem


def _whole_text(text: str) -> Iterator[str]:
    if text.strip():
        yield text


def _last_block(text: str) -> Iterator[str]:
    """The last JSON object in the text, and only that one: an earlier one may be an example or a quotation."""
    for start, end in reversed(_objects(text)):
        if isinstance(_decoded(text[start:end]), dict):
            yield text[start:end]
            return


def _repaired(text: str) -> Iterator[str]:
    start, end = (_objects(text) or [(text.find("{"), len(text))])[-1]
    if start < 0 or end - start > REPAIRED_CHARS or _depth(text[start:end]) > REPAIRED_DEPTH:
        return
    import json_repair  # Imported late: most replies need no repair, and every command pays for imports.

    try:
        yield _as_text(json_repair.loads(text[start:end]))
    except (ValueError, RecursionError, LookupError, TypeError):
        return


def _depth(text: str) -> int:
    """How deep brackets are nested, those in strings included: where a broken text's strings end is a guess."""
    steps = (1 if char in "{[" else -1 if char in "}]" else 0 for char in text)
    return max(accumulate(steps), default=0)


RUNGS: tuple[Callable[[str], Iterator[str]], ...] = (_whole_text, _last_block, _repaired)


def _objects(text: str) -> list[tuple[int, int]]:
    """Where ``{…}`` begins and ends, outermost only, found in one pass so that no text takes long to read."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    quoted = escaped = False
    for position, char in enumerate(text):
        if quoted:
            quoted, escaped = escaped or char != '"', char == "\\" and not escaped
        elif char == '"' and opened:
            quoted = True
        elif char == "{":
            opened.append(position)
        elif char == "}" and opened:
            start = opened.pop()
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, position + 1))
    return found


def _read_strictly(text: str, kind: type[Reply]) -> Reply | Problem:
    try:
        reply = msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        return Problem(str(error))
    except (UnicodeError, RecursionError) as error:
        return Problem(f"JSON is malformed: {error}")
    return Problem(complaint) if (complaint := next(_absurdities(reply), None)) else reply


def _absurdities(value: object, path: str = "$") -> Iterator[str]:
    """Numbers that no honest reply holds: every fraction in a reply is a mark from 0 to 10, every integer a count."""
    match value:
        case bool():
            return
        case float() if not (math.isfinite(value) and 0 <= value <= HIGHEST_MARK):
            yield f"a mark lies between 0 and 10, not {value:g} - at `{path}`"
        case int() if not 0 <= value <= HIGHEST_COUNT:
            yield f"a count lies between 0 and {HIGHEST_COUNT} - at `{path}`"
        case tuple():
            for index, item in enumerate(value):
                yield from _absurdities(item, f"{path}[{index}]")
        case Struct():
            for name in value.__struct_fields__:
                yield from _absurdities(getattr(value, name), f"{path}.{name}")


def _as_json(value: object) -> str | Problem:
    try:
        return _as_text(value)
    except (TypeError, ValueError, RecursionError) as error:
        return Problem(f"the reply is not plain JSON data: {error}")


def _as_text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _decoded(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
