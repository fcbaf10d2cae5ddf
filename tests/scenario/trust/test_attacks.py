"""Ways to have something called done, or to leave work behind, that were found by trying."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import claim, commit_all, work
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.reviews import verifier
from tests.scenario.kit.world import base_config, make_world
from tests.scenario.stories import people

# covers: PLAN, HV, INV-6, T4


def test_phases_that_waited_land_in_the_order_they_came_together(tmp_path: Path) -> None:
    """A later phase had to wait for a clean checkout, then an earlier one for its person: the tip is the earlier's."""
    world = make_world(tmp_path, Plot(phases=2, planned=True, checkpoints={1: people.LISTEN}))
    world.play(verifier(1, "01-01", 4.0, people.NO_PHONE, attempt=1))
    world.write("README.md", "the user is at work\n")
    assert world.run("all").status == 3
    assert world.autopilot("verdict", "1", "pass").status == 0
    assert [world.resume().status, world.resume().status] == [3, 3]
    world.git("checkout", "-q", "README.md")
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert (world.project / "part-01-01.sh").exists() and (world.project / "part-02-01.sh").exists()


def test_a_fresh_run_does_not_leave_work_behind_that_waits_for_a_verdict(tmp_path: Path) -> None:
    world = people.nobody_mends(tmp_path)
    assert world.run("all").status == 3
    refused = world.run("--fresh")
    assert refused.status == 2
    assert "fail` discards it" in refused.err
    assert world.autopilot("verdict", "1", "fail").status == 0
    assert world.run("--fresh").status == 3, "given up by its owner, it is in nobody's way"


def test_a_plan_of_ours_cannot_leave_the_whole_phase_to_a_look(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(tasks=0, checkpoints={1: "Press Save in the badge form"}))
    world.play(verifier(1, "", 9.0))
    ran = world.run("all")
    assert ran.status == 1, ran.err
    assert "at least one task must build something" in ran.err


def test_a_provider_that_is_out_of_quota_for_long_is_a_cap_and_the_same_run_goes_on(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    limited = {**work("01-01"), "do": [], "ending": "rate_limited", "retry_after_s": 90_000}
    world.play({key: value for key, value in limited.items() if key != "reply"})
    ran = world.run("all")
    assert ran.status == 4, ran.err
    assert "autopilot resume" in ran.out and "--fresh" not in ran.out
    world.play()
    assert world.resume().status == 4, "it would still be waited for too long"
    assert world.resume("--now").status == 0


def test_a_committed_link_and_a_setup_that_fills_it_do_not_reach_the_users_hooks(tmp_path: Path) -> None:
    """Setup makes ``node_modules/hooks/post-checkout``; the agent commits ``node_modules`` as a link to ``.git``."""
    setup = "mkdir -p node_modules/hooks && echo 'touch stolen' >node_modules/hooks/post-checkout"
    commands = {**base_config()["project"]["commands"], "setup": setup}
    world = make_world(tmp_path, Plot(planned=True), config={"project": {"commands": commands}})
    link = {"run": f"ln -s {world.project}/.git node_modules && git add -f node_modules"}
    part = {"write": "part-01-01.sh", "text": part_text("01-01")}
    world.play(
        claim("01-01", part, {"run": "rm -rf node_modules"}, link, *commit_all("01-01")),
        claim("01-01", part, {"run": "git add part-01-01.sh && git commit -qm part"}, role="debugger"),
    )
    ran = world.run("all")
    assert ran.status == 0, ran.err
    assert "node_modules is a symbolic link to" in ran.err
    assert not (world.project / ".git" / "hooks" / "post-checkout").exists()
    assert not (world.project / "node_modules").is_symlink()
