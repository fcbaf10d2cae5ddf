"""Edits at random, on roadmaps of our own: nothing is wrong, and what is wrong is seen. covers: PHASE-EDIT"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.model.planning.roadmap import PhaseId
from tests.unit.planning.editing.at_random import Wrong, main, must_keep_lines
from tests.unit.planning.editing.teahouse import ROADMAP


def test_edits_at_random_change_what_they_should_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ROADMAP.md").write_text(ROADMAP, encoding="utf-8")
    (tmp_path / "v1-ROADMAP.md").write_bytes(ROADMAP.replace("Phase ", "Phase 0").replace("\n", "\r\n").encode())
    assert main([str(tmp_path), "--count", "40"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("2 roadmaps, 40 edits, 0 wrong\n") and "done and undone" in out


def test_a_line_that_a_removal_made_up_is_seen() -> None:
    must_keep_lines(["Phases 1-5", "x", "### Phase 5: Till"], ["Phases 1-4", "x"], PhaseId("5"))
    with pytest.raises(Wrong, match="no line of before"):
        must_keep_lines(["a", "### Phase 5: Till"], ["b", "a"], PhaseId("5"))
