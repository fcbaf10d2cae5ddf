"""Texts that would like to be more than text, and a run in which every field that takes a text has one."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.evidence.objection import Layer, Objection
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import Category
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.ruling import Band, Deduction
from autopilot.model.run import Step, StepStatus
from tests.unit.asking import WAITS, HumanAsked
from tests.unit.making import (
    ONE,
    make_brief,
    make_criterion,
    make_judgement,
    make_observation,
    make_rating,
    make_score,
    make_started,
    make_task,
    make_verdict,
    make_verification,
)

MARKUP = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "</title></head><body onload=alert(1)>",
    "</pre></section><script src=//evil.example></script>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<object data=//evil.example>",
    "<embed src=//evil.example>",
    "<form action=//evil.example><button>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<a href=javascript:alert(1)>x</a>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<video><source onerror=alert(1)></video>",
    "<!--",
    "-->",
    "<![CDATA[x]]>",
    "<?xml version='1.0'?>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;",
    "`<b>code</b>`",
)
LINKS = (
    "javascript:alert(1)",
    "[x](javascript:alert(1))",
    "![x](https://evil.example/x.png)",
    "<https://evil.example>",
    "[x][y]\n\n[y]: data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD4=",
    "//evil.example/x",
    "https://evil.example/?q=<script>",
)
TEMPLATES = (
    "{{ 7 * 7 }}",
    "{% raw %}",
    "{# comment #}",
    "${7*7}",
    "#{7*7}",
    "%(name)s {0} %n",
    "{{ ''.__class__.__mro__ }}",
)
SIGNS = (
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://evil.example\x07link\x1b]8;;\x07",
    "\x1b[2J\x1b[H",
    "\u202eevil\u202c",
    "\u2066x\u2069",
    "\x00\x08\x7f",
    "\ufeff\u200b",
    "a\rb\x0cc\x0bd",
    "\u2028\u2029",
    "\x9b31m",
    "\udbff".encode("utf-8", "replace").decode(),
    "\U000e0041\U000e0042",
)
PLACES = (
    "../../../etc/passwd",
    "a/b\nc",
    "x" * 20_000,
    "é" * 10_000,
    "\n" * 2_000,
    "<" * 2_000,
)
TEXTS = (*MARKUP, *LINKS, *TEMPLATES, *SIGNS, *PLACES)


def hostile_run(text: str) -> list[Any]:
    """Names, goals, plans, outputs of tests, reviews, file names, branches, questions: all of them this text."""
    short = text[:200]
    brief = replace(make_brief(), name=text, goal=text, folder=f".planning/phases/{text[:40]}")
    brief = replace(brief, criteria=(make_criterion("SC-1", text, command=text),))
    seen = make_observation(
        "01-01.c1",
        Seen.FAILED,
        command=text,
        excerpt=text,
        reason=text,
        ran=text,
        last_lines=(text,),
        tests=Tally(short, Grade.REPORT, failed=1, problem=text),
    )
    task = make_task("01-01", make_criterion("01-01.c1", text, command=text), title=text, action=text, done=text)
    verification = make_verification(passed=False, concerns=(text,), scope_creep=(text,), commands_run=(text,))
    objection = Objection(next(iter(Layer)), "01-01.c1", text, text, text)
    asked = HumanAsked("checkpoint-1", GateKind.CHECKPOINT, text, (HumanQuestion(text[:40], text, why=text),))
    commit = "c" * 40
    return [
        make_started(brief, command=text, branch=text),
        h.PhaseStarted(ONE, 1, "base"),
        h.StepStarted(ONE, Step.PLAN, 1),
        h.AgentReplied(ONE, Step.PLAN, Role.PLANNER, short, Ending.COMPLETED, Usage(1), 1, detail=text, model=short),
        h.Planned(ONE, commit, (task,), (), must_haves=(text,)),
        h.StepEnded(ONE, Step.PLAN, 1, StepStatus.COMPLETED, detail=text),
        h.RedObserved(ONE, (seen,)),
        h.TaskRefused(ONE, "01-01", text),
        h.TaskCommitted(ONE, "01-01", commit, (text,), (text,), parent="b" * 40),
        h.TaskVerified(
            ONE, "01-01", commit, (seen,), (make_verdict(Outcome.FAIL, because=text),), Outcome.FAIL, (), (objection,)
        ),
        h.PhaseObserved(ONE, commit, (seen,), objections=(objection,), unasked=(text,)),
        h.PhaseVerified(ONE, commit, verification, 1),
        h.PhaseJudged(ONE, commit, make_judgement(concerns=(text,), notes=text)),
        h.PhaseRated(
            ONE,
            commit,
            make_rating(make_score(text, 3.0, text), side_effects=(text,)),
            3.0,
            Band.NONE,
            (Deduction(text, 3.0, 7.0, 7.0, text, text),),
        ),
        h.Warned(text, ONE),
        h.PhaseFailed(ONE, text, Category.NONE, Step.VERIFY),
        asked,
        replace(WAITS, reason=text),
    ]
