"""Foreign text in a document neither runs nor fetches anything in a viewer. The viewer here reads all of CommonMark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from autopilot.events.fold import fold_all
from autopilot.reports.documents.diagnostic import render_diagnostic
from autopilot.reports.documents.documents import phase_documents
from autopilot.reports.documents.learnings import render_learnings
from autopilot.reports.inert import make_inert
from autopilot.reports.run.batch import render_batch
from autopilot.reports.run.ci_summary import render_ci_summary
from autopilot.reports.run.completion import render_completion
from tests.unit.flows.chance import stages
from tests.unit.flows.stage import Stage

# covers: T7, R-SECRET
VIEWER = MarkdownIt("commonmark", {"html": True}).enable("table")
ACTIVE = {"html_inline", "html_block", "image"}
HOSTILE = [
    "<img src=http://127.0.0.1/x>",
    "![x](http://127.0.0.1/x)",
    "![x][y]\n\n[y]: http://127.0.0.1/x",
    "<script>fetch('http://127.0.0.1')</script>",
    "\n\n<iframe src=http://127.0.0.1></iframe>\n\n",
    "a ` b\n- <img src=x> `",
    "x `` y\n`` <img src=x> ``",
    "\\` <img src=x> `",
    "- a\n  ```\n<img src=x>",
    " ```\n```\n<img src=x>",
    "```\n```\n<img src=x>",
    "> ```\n<img src=x>",
    "```` `\n<img src=x>",
    "| ` | ` <img src=x> ` |",
    "` | <img src=x> `",
    "| x\n|---\n| ` | ` <img src=x> `",
    "a ` b\n\u00a0\n- ` <img src=x> `",
    "a ` b\n\u3000\n` <img src=x> `",
    "a | b\n--- | ---\n` | ![x](http://127.0.0.1/x) `",
    " | a | b |\n | --- | --- |\n | ` | ![x](http://127.0.0.1/x) ` |",
    "> a | b\n> - | -\n> ` | <img src=x> `",
    "<!-- -->\n<?php ?>\n<![CDATA[ ]]>",
    "<http://127.0.0.1/x>",
]


def active(document: str) -> list[str]:
    return list(_active(VIEWER.parse(document)))


def _active(tokens: list[Any]) -> Iterator[str]:
    for token in tokens:
        if token.type in ACTIVE:
            yield f"{token.type}: {token.content}"
        yield from _active(token.children or [])


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "around", ["{}", "before\n{}\nafter", "- {}\n- next", "| a | {} |\n|---|---|\n| b | {} |\n", "# {}"]
)
def test_nothing_active_is_left_of_hostile_text(text: str, around: str) -> None:
    document = around.format(text, text)
    assert active(make_inert(document)) == []
    assert make_inert(make_inert(document)) == make_inert(document)


def test_the_viewer_of_these_tests_sees_what_is_active() -> None:
    """The control: without our hands on it, most of the above is live."""
    assert sum(bool(active(text)) for text in HOSTILE) >= len(HOSTILE) - 5


PIECES = [
    "`",
    "``",
    "```",
    "~~~",
    "<img src=x>",
    "![x](y)",
    "\n",
    "\n\n",
    " ",
    "    ",
    "- ",
    "> ",
    "| ",
    "\\",
    "a",
    "1. ",
]


@settings(max_examples=600)
@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_no_arrangement_of_code_lists_and_tables_lets_a_tag_or_an_image_through(text: str) -> None:
    assert active(make_inert(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "plain words, a < b, x <= y and [a link](https://example.org)",
        "`List<String>` and ``a ` <b>``",
        "| `<div>` | b |\n|---|---|\n| `a` | `![x](y)` |",
        "text\n\n```diff\n-<div>\n+![x](y)\n```\n\nmore `<a>`",
        "---\nphase: 1\n---\n\n# Title\n",
    ],
)
def test_code_and_ordinary_text_stay_as_they_are(text: str) -> None:
    assert make_inert(text) == text


def test_a_fence_that_was_left_open_swallows_nothing_after_the_document() -> None:
    assert make_inert("a\n```\nb").endswith("\n```")


def hostile(value: Any, text: str) -> Any:
    """The same data with hostile text at the end of everything that is prose."""
    match value:
        case Enum():
            return value
        case str():
            return f"{value} {text}" if " " in value else value
        case tuple() if type(value) is tuple:
            return tuple(hostile(item, text) for item in value)
        case dict():
            return {key: hostile(item, text) for key, item in value.items()}
        case msgspec.Struct():
            changed = {name: hostile(getattr(value, name), text) for name in value.__struct_fields__}
            return msgspec.structs.replace(value, **changed)
    return value


@settings(max_examples=40)
@given(stages(), st.sampled_from(HOSTILE))
def test_no_document_of_a_run_shows_anything_active_whatever_was_said_in_it(stage: Stage, text: str) -> None:
    state = hostile(fold_all(stage.play().history), text)
    documents = {"completion": render_completion(state, None), "batch": render_batch(state)}
    documents |= {"ci": render_ci_summary(state, None), "learnings": render_learnings(state)}
    for phase in (*state.phases.values(), *state.parts.values()):
        documents |= {f"{phase.id} {name}": shown for name, shown in phase_documents(state, phase).items()}
        documents[f"{phase.id} diagnostic"] = render_diagnostic(state, phase)
    word = max(re.findall(r"[a-z]+", text), key=len)
    assert any(word in shown for shown in documents.values()), "the control: it was said in some document"
    for name, shown in documents.items():
        assert name.endswith(".json") or active(shown) == [], name
