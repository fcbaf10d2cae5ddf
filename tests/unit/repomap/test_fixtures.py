"""Each language: one file with every construct that the map reads, and the rows that it must come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.repomap.extracting import extract
from autopilot.repomap.grammars.table import GRAMMARS
from autopilot.repomap.languages import language_of
from tests.unit.repomap.rows import rows_of

FOLDER = Path(__file__).parent / "fixtures"
SAMPLES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".rows")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_comes_to_its_rows(sample: Path) -> None:
    """covers: REPOMAP"""
    rows = rows_of(extract(sample.read_bytes(), language_of(sample.name)))
    expected = sample.with_name(f"{sample.name}.rows").read_text(encoding="utf-8")
    assert "\n".join(rows) + "\n" == expected


def test_every_language_has_a_sample() -> None:
    assert {language_of(sample.name) for sample in SAMPLES} == set(GRAMMARS)
