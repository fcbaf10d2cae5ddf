"""A debug session on the page: its words as text, and what its fixes changed. covers: DEBUG, CMD-WEB"""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.debugging.happened import FixTaken
from autopilot.events.debugging.state import DebugState
from autopilot.model.debugging.session import SESSION
from autopilot.reports.debugging.session_file import render_session
from autopilot.web.debugging.session import session_pairs, show_session
from autopilot.web.markdown import render_markdown
from autopilot.web.views.documents import document_names
from tests.unit.making import START, alter, make_phase, make_state
from tests.unit.steps.debug_sample import BRIEF, SYMPTOMS

BRIEF = replace(BRIEF, text="a <b> is lost")
TOLD = DebugState(BRIEF, START, START, symptoms=SYMPTOMS, commit="c" * 40, files=("tests/test_b.py",))


def test_words_of_a_session_are_shown_as_they_are_and_made_harmless_where_they_are_markdown() -> None:
    state = make_state(make_phase(SESSION), debugging=TOLD)
    assert "a <b> is lost" in show_session(state) and "a <b>" not in render_session(TOLD)
    assert "SESSION.md" in document_names(state, state.phase(SESSION)) and show_session(make_state()) == ""
    assert "<b>" not in render_markdown(show_session(state))


def test_every_fix_is_compared_with_the_commit_on_which_the_bug_was_seen() -> None:
    fixes = (FixTaken(SESSION, 1, "d" * 40), FixTaken(SESSION, 2, refusal="nothing"), FixTaken(SESSION, 3, "e" * 40))
    state = alter(make_state(make_phase(SESSION), debugging=replace(TOLD, fixes=fixes)), line_base="a" * 40)
    pairs = session_pairs(state)
    assert [pair.title for pair in pairs.values()] == ["The tests that show the bug", "Fix 1", "Fix 3"]
    assert [(pair.old[0], pair.new[0]) for pair in pairs.values()] == [("a", "c"), ("c", "d"), ("c", "e")]
