"""Whatever happens to a run, its state can be shown: in the whole shape, and without a stumble (STATE, PROG)."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given, settings

from autopilot.events.fold import fold_all
from autopilot.reports.documents.diagnostic import render_diagnostic
from autopilot.reports.documents.learnings import render_learnings
from autopilot.reports.documents.postmortem import render_postmortem
from autopilot.reports.event_log.log import event_log
from autopilot.reports.html.page import render_html
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.run.batch import render_batch
from autopilot.reports.run.ci_summary import render_ci_summary
from autopilot.reports.run.completion import render_completion
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.junit import render_junit
from autopilot.reports.run.metrics import run_metrics
from autopilot.reports.run.trend import find_trend
from autopilot.reports.status.gates import landing_words
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.reports.status.status_text import render_line, render_status
from tests.unit.flows.chance import stages
from tests.unit.flows.stage import Stage
from tests.unit.reports.status.test_state_json import check_document


# covers: STATE, PROG
@settings(max_examples=50)
@given(stages())
def test_a_run_in_any_state_has_the_shape_and_can_be_shown(stage: Stage) -> None:
    history = stage.play().history
    for entries in (history, history[: len(history) // 2]):
        state = fold_all(entries)
        document = state_document(state, event_log(entries))
        check_document(document)
        status = status_document(state, document, landing_words(state))
        assert render_line(status, alive=True) and render_status(status, alive=False) and render_ending(state)
        assert all("\n" not in line for line in progress_lines(entries[-1], state))
        assert render_learnings(state) is not None
        rows = [run_metrics(state)] * 2
        trend = find_trend(rows)
        assert render_completion(state, trend) and render_batch(state) and render_ci_summary(state, trend)
        assert ET.fromstring(render_junit(state)).tag == "testsuites"
        assert render_html(state, entries, rows).endswith("</html>\n")
        for phase in (*state.phases.values(), *state.parts.values()):
            assert render_diagnostic(state, phase) and render_postmortem(state, phase, entries)
