"""What each tool takes: its JSON schema, and the strict reading of what a client sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from autopilot.model.errors import UsageError
from autopilot.model.policy import MAP_TOKENS
from autopilot.settings.reading import MOST_MAP_TOKENS

Phase = Annotated[str, Meta(description="number of a phase, such as 3 or 2.1", max_length=40)]
Run = Annotated[str, Meta(description="name of a run; empty for the last one", max_length=200)]
Place = Annotated[
    str,
    Meta(
        description="which repository of this server, by its path or the name of its folder; empty if it has one alone",
        max_length=4096,
    ),
]
Selection = Annotated[
    str,
    Meta(
        description="3, 3-7, all or next", max_length=40, pattern=r"^(all|next|[0-9]+(\.[0-9]+)*(-[0-9]+(\.[0-9]+)*)?)$"
    ),
]
Text = Annotated[str, Meta(max_length=8_000)]


class Arguments(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    repository: Place = ""


class OfRepository(Arguments, frozen=True):
    """Nothing but the repository."""


class OfEverything(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing."""


class OfEvidence(Arguments, frozen=True):
    phase: Phase
    run: Run = ""


class OfReasons(Arguments, frozen=True):
    what: Annotated[
        str, Meta(description="a phase (3), criterion (03-01.c2), check (test) or task; empty for all", max_length=200)
    ] = ""
    run: Run = ""


class OfMap(Arguments, frozen=True):
    query: Annotated[
        Literal["importers-of", "callers-of", "callees-of", "defines", "exports-of", "similar-name"],
        Meta(description="the question; similar-name: does a name exist, or one like it"),
    ]
    name: Annotated[str, Meta(description="a name, Class.method, a path or a module", min_length=1, max_length=500)]


class OfTopic(Arguments, frozen=True):
    words: Annotated[
        str, Meta(description="what the task is about; empty for the most central files", max_length=2_000)
    ] = ""
    files: Annotated[
        list[Annotated[str, Meta(max_length=1_000)]], Meta(description="files that the task names", max_length=50)
    ] = []
    tokens: Annotated[int, Meta(description="how long the answer may be", ge=1, le=MOST_MAP_TOKENS)] = MAP_TOKENS


class OfAnswer(Arguments, frozen=True):
    name: Annotated[
        str,
        Meta(
            description="name of the gate, or number of the phase that waits for a verdict",
            min_length=1,
            max_length=100,
        ),
    ]
    decision: Annotated[
        Literal["approve", "reject", "answer", "issues_found"],
        Meta(
            description="approve or reject a gate; of a phase they mean the verdicts pass and fail; answer its "
            "questions; issues_found: a verdict that has the agent fix them"
        ),
    ]
    answers: Annotated[
        dict[str, Text], Meta(description="of answer: for every question by its id the text", max_length=200)
    ] = {}
    comment: Annotated[
        str, Meta(description="of reject: why; of issues_found: what is wrong, one line each", max_length=8_000)
    ] = ""


class OfStart(Arguments, frozen=True):
    phases: Annotated[
        list[Selection], Meta(description="which phases; empty for all outstanding ones", max_length=100)
    ] = []


Given = TypeVar("Given", bound=Struct)


def schema_of(arguments: type[Struct]) -> dict[str, Any]:
    """As clients want it: an object at the top, nothing referred to."""
    _, parts = msgspec.json.schema_components([arguments], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = parts[arguments.__name__]
    return {name: value for name, value in schema.items() if name not in ("title", "description")}


def read_arguments(given: dict[str, Any] | None, arguments: type[Given]) -> Given:
    """UsageError names the argument that does not fit."""
    try:
        return msgspec.convert(given or {}, arguments)
    except (msgspec.ValidationError, RecursionError) as error:
        raise UsageError(f"the arguments do not fit: {error}", "`tools/list` shows the schema of each tool") from error
