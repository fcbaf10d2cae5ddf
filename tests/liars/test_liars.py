"""No lie is accepted that a check can see, and no honest work is refused. covers: T8, T8.lies, R-LIE

A part of the cases by the seed of the day (``AUTOPILOT_SEED``), more of them in ``make chaos``, all in ``make liars``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.level import LEVEL
from tests.liars.case import Case
from tests.liars.catalogue import choose, every_case
from tests.liars.families.every import generated
from tests.liars.tools import install_python
from tests.liars.world import judge
from tests.seed import seed

ALL = every_case()
WRITTEN = ALL if LEVEL.liars is None else choose(ALL, LEVEL.liars, seed())
CHOSEN = (*WRITTEN, *choose(generated(), LEVEL.families, seed()))


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_python(tmp_path_factory.mktemp("tools") / "python")


@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: case.name)
def test_honest_work_is_accepted_and_of_lies_only_those_that_no_check_sees(
    case: Case, tmp_path: Path, programs: Path
) -> None:
    """A lie called invisible that is caught after all can be checked, and says so from then on."""
    verdict = judge(case, tmp_path, programs)
    assert verdict.accepted is (case.honest or not case.checkable), verdict.because
    assert not verdict.paused, f"neither accepted nor refused: {verdict.because}"
    told = "\n".join(verdict.flags)
    assert case.shown in told, told
    assert not case.not_shown or case.not_shown not in told, told
