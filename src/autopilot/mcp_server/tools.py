"""The tools: what each is called, takes, does to the world, and which function answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mcp_types as types
from msgspec import Struct

from autopilot.mcp_server import arguments as a
from autopilot.mcp_server.places import Places
from autopilot.mcp_server.reading import (
    Document,
    find_relevant,
    list_gates,
    query_map,
    show_evidence,
    show_reasons,
    show_status,
)
from autopilot.mcp_server.runs import resume_run, start_run, stop_run

ANSWER = "answer_gate"


class Tool(Struct, frozen=True):
    name: str
    title: str
    description: str
    arguments: type[Struct]
    answer: Callable[[Places, Any], Document] | None  # None: by a conversation with the user
    is_reading: bool = True
    is_destructive: bool = False
    is_idempotent: bool = False
    reaches_out: bool = False

    def described(self) -> types.Tool:
        hints = types.ToolAnnotations(
            title=self.title,
            read_only_hint=self.is_reading,
            destructive_hint=self.is_destructive,
            idempotent_hint=self.is_reading or self.is_idempotent,
            open_world_hint=self.reaches_out,
        )
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=a.schema_of(self.arguments),
            annotations=hints,
        )


READING = (
    Tool(
        "status",
        "State of the last run",
        "The last run of the repository: phases with verdicts and scores, what is at work, what waits, tokens, cost. "
        "It only reads.",
        a.OfRepository,
        show_status,
    ),
    Tool(
        "gates",
        "What waits for the user",
        "Everything that waits for the user's decision, each with the command that answers it in a terminal. Only the "
        "user decides.",
        a.OfEverything,
        list_gates,
    ),
    Tool(
        "evidence",
        "Evidence for a phase",
        "For every criterion and check of a phase: the command that was run, its commit, the tests that cover it, the "
        "strength of the evidence, the objections, what was not checked.",
        a.OfEvidence,
        show_evidence,
    ),
    Tool(
        "why",
        "Why something does not hold",
        "What does not hold in a run, a phase or a criterion: expected against actual, the last lines of output, and "
        "the command that repeats it in the sandbox.",
        a.OfReasons,
        show_reasons,
    ),
    Tool(
        "map_query",
        "Question to the map of the code",
        "Who imports, calls, defines or exports something in the repository, or whether a name exists. The map is "
        "brought up to date first.",
        a.OfMap,
        query_map,
    ),
    Tool(
        "map_relevant",
        "Files that a task touches",
        "The files that a task about these words probably touches, with what they define, within so many tokens.",
        a.OfTopic,
        find_relevant,
    ),
)
ACTING = (
    Tool(
        "start_run",
        "Start a run",
        "Starts `autopilot run` in a process of its own, with the user's settings, agents and caps; returns at once. "
        "It calls agents, which cost money, and lands verified work on the user's branch. An unfinished run goes on.",
        a.OfStart,
        start_run,
        is_reading=False,
        reaches_out=True,
    ),
    Tool(
        "resume_run",
        "Resume the unfinished run",
        "Starts `autopilot resume` in a process of its own and returns at once. A run that reached a cap stops again: "
        "only the user raises caps.",
        a.OfRepository,
        resume_run,
        is_reading=False,
        is_idempotent=True,
        reaches_out=True,
    ),
    Tool(
        "stop_run",
        "Stop the run",
        "Stops the run in progress: its agents are ended, what they were in the middle of is lost, nothing that passed "
        "is. `resume_run` continues it.",
        a.OfRepository,
        stop_run,
        is_reading=False,
        is_destructive=True,
        is_idempotent=True,
    ),
    Tool(
        ANSWER,
        "Propose an answer to a gate",
        "Proposes an answer to a gate or a verdict on a phase. The client asks the user, who confirms it by typing; "
        "nothing is recorded otherwise. The first answer is final.",
        a.OfAnswer,
        None,
        is_reading=False,
        is_destructive=True,
    ),
)
