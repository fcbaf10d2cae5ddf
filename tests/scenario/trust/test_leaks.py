"""A secret of this machine that an agent commits is not taken in, and its value is told nowhere.

covers: T7.redaction
"""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import claim, commit_all
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, make_world

SECRET = "kp7-Zq19-wvT4-88ab"


class Keeper(World):
    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "DEPLOY_TOKEN": SECRET}


def test_a_commit_with_a_secret_of_this_machine_is_refused_and_mended(tmp_path: Path) -> None:
    world = Keeper(make_world(tmp_path, Plot(planned=True)).folder, Plot(planned=True))
    leaking = {"write": "part-01-01.sh", "text": f"# {SECRET}\n{part_text('01-01')}"}
    honest = {"write": "part-01-01.sh", "text": part_text("01-01")}
    world.play(
        claim("01-01", leaking, *commit_all("01-01")),
        claim("01-01", honest, *commit_all("01-01"), role="debugger"),
    )
    ran = world.run("all")
    assert ran.status == 0, ran.err
    assert "part-01-01.sh holds a secret of this machine" in ran.out
    assert SECRET not in ran.out + ran.err
    assert SECRET not in world.git("log", "-p", "--all")
