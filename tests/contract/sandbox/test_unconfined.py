"""Without walls a verification still works on a private copy, and an agent in its clone (T5, opt-out)."""

from __future__ import annotations

from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.sandbox import Exited, Profile, run

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
