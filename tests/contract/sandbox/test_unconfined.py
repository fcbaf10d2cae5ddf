"""Without walls a verification still works on a private copy, and an agent in its clone (T5, opt-out)."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.sandbox import Exited, Mount, NeverRan, Profile, TimedOut, run

# covers: T5


def test_a_verification_leaves_the_checkout_as_it_was(place) -> None:
    sandbox = Unconfined(place.state)
    assert run(sandbox, place.sh("echo changed >kept.txt; git status --porcelain")).output == b" M kept.txt\n"
    assert (place.backing / "kept.txt").read_text() == "original\n"


def test_an_agent_works_in_its_clone(place) -> None:
    assert run(Unconfined(place.state), place.sh("echo x >new.txt", profile=Profile.AGENT)).ended == Exited(0)
    assert (place.backing / "new.txt").exists()


def test_its_environment_is_the_fixed_one(place, monkeypatch) -> None:
    monkeypatch.setenv("AUTOPILOT_DECOY", "secret")
    names = run(Unconfined(place.state), place.sh("env | cut -d= -f1", env={"GIVEN": "1"})).output.decode().split()
    assert set(names) - {"PWD", "OLDPWD", "SHLVL", "_"} == {"HOME", "LANG", "PATH", "GIVEN"}


def test_it_says_that_it_does_not_confine(place) -> None:
    assert "not confined" in Unconfined(place.state).probe().detail


def papers(place) -> dict[str, object]:
    context = place.folder / "context"
    (context / "more").mkdir(parents=True, exist_ok=True)
    (context / "facts.md").write_text("known\n")
    (context / "more" / "plan.md").write_text("planned\n")
    mount = Mount(PurePosixPath(context), PurePosixPath(place.project) / ".autopilot")
    return {"mounts": (mount,), "profile": Profile.AGENT}


def test_an_agent_finds_its_papers_in_the_project_while_it_works(place) -> None:
    script = "cat .autopilot/facts.md .autopilot/more/plan.md; find .autopilot -perm /222; git status --porcelain"
    outcome = run(Unconfined(place.state), place.sh(script, **papers(place)))
    assert (outcome.ended, outcome.output) == (Exited(0), b"known\nplanned\n?? .autopilot/\n")
    assert not (place.backing / ".autopilot").exists()
    assert (place.folder / "context" / "facts.md").read_text() == "known\n"


@pytest.mark.parametrize(
    "script",
    ["rm -rf .autopilot", "chmod -R u+w .autopilot; echo x >.autopilot/x; mkdir .autopilot/d; chmod 0 .autopilot/d"],
)
def test_they_are_gone_afterwards_whatever_the_agent_did_to_them(place, script: str) -> None:
    run(Unconfined(place.state), place.sh(script, **papers(place)))
    assert not (place.backing / ".autopilot").exists()
    assert sorted(path.name for path in (place.folder / "context").iterdir()) == ["facts.md", "more"]


def test_a_link_that_the_agent_put_there_instead_is_not_followed(place) -> None:
    precious = place.folder / "precious"
    precious.mkdir()
    (precious / "kept").write_text("x")
    run(Unconfined(place.state), place.sh(f"rm -rf .autopilot; ln -s '{precious}' .autopilot", **papers(place)))
    assert (precious / "kept").exists()


def test_they_are_gone_when_the_agent_was_ended_by_force(place) -> None:
    outcome = run(
        Unconfined(place.state), place.sh("cat .autopilot/facts.md; sleep 60", timeout_s=0.5, **papers(place))
    )
    assert isinstance(outcome.ended, TimedOut)
    assert not (place.backing / ".autopilot").exists()


def test_what_is_the_projects_own_is_not_replaced_by_them(place) -> None:
    (place.backing / ".autopilot").mkdir()
    (place.backing / ".autopilot" / "own").write_text("x")
    outcome = run(Unconfined(place.state), place.sh("true", **papers(place)))
    assert isinstance(outcome.ended, NeverRan) and "is there already" in outcome.ended.reason
    assert (place.backing / ".autopilot" / "own").exists()
