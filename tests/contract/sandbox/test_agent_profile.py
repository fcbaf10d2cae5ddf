"""The agent's sandbox: its clone and nothing else is writable, and its own sandbox still works inside (T5)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.ports.sandbox import HOME, Exited, Mount, NeverRan, Profile, run
from autopilot.settings.own_sandbox import is_inside

# covers: T5.agents

# covers: T5
AGENT = {"profile": Profile.AGENT, "network": True}
PYTHON = f"{sys.base_prefix}/bin/python3"
SOURCES = Path(__file__).resolve().parents[3] / "src"
PACKAGES = Path(msgspec.__file__).parents[1]  # not of this interpreter, where an ordinary user runs these tests
START = f"""
import sys
sys.path[:0] = [{str(SOURCES)!r}, {str(PACKAGES)!r}]
from autopilot.__main__ import main
sys.exit(main(["mcp"]))
"""


def test_an_agent_writes_into_its_clone(place, confined) -> None:
    assert run(
        confined, place.sh("echo work >new.txt && git -c user.name=a -c user.email=b add new.txt", **AGENT)
    ).ended == Exited(0)
    assert (place.backing / "new.txt").read_text() == "work\n"


def test_an_agent_writes_nowhere_else_that_lasts(place, confined) -> None:
    target = place.folder / "elsewhere.txt"
    run(confined, place.sh(f"echo x >'{target}'; echo x >/etc/decoy-of-a-test; echo x >$HOME/note", **AGENT))
    assert not target.exists()
    assert not Path("/etc/decoy-of-a-test").exists()


def test_its_home_is_writable_and_thrown_away(place, confined) -> None:
    assert run(confined, place.sh("echo x >$HOME/note && [ -e $HOME/note ]", **AGENT)).ended == Exited(0)
    assert run(confined, place.sh("[ ! -e $HOME/note ]", **AGENT)).ended == Exited(0)


def test_what_it_may_know_is_mounted_read_only_and_its_own_folder_writable(place, confined) -> None:
    context, login = place.folder / "context", place.folder / "login"
    context.mkdir()
    login.mkdir()
    confined.give_away(login)
    (context / "facts.md").write_text("known\n")
    mounts = (
        Mount(PurePosixPath(context), PurePosixPath(place.project) / ".autopilot"),
        Mount(PurePosixPath(login), HOME / ".agent", writable=True),
    )
    script = "cat .autopilot/facts.md && echo token >$HOME/.agent/token && ! echo x 2>/dev/null >.autopilot/facts.md"
    outcome = run(confined, place.sh(script, mounts=mounts, **AGENT))
    assert (outcome.ended, outcome.output) == (Exited(0), b"known\n")
    assert (login / "token").read_text() == "token\n"
    assert (context / "facts.md").read_text() == "known\n"


def test_its_prompt_cannot_be_rewritten_through_its_input(place, confined) -> None:
    """A mount is read-only for whoever opens a name on it; an open file can be opened again by /proc, for writing."""
    private = place.folder / "private"
    private.mkdir()
    (private / "prompt").write_text("genuine\n")
    confined.give_away(private)
    mounts = (Mount(PurePosixPath(private), PurePosixPath("/tmp/private")),)
    script = "cat; for n in 0 3; do echo forged 2>/dev/null >/proc/self/fd/$n; done; ls /proc/self/fd | grep -c ."
    spec = place.sh(script, stdin=PurePosixPath(private / "prompt"), mounts=mounts, **AGENT)
    outcome = run(confined, spec)
    assert (private / "prompt").read_text() == "genuine\n"
    assert outcome.output.startswith(b"genuine\n")


def contexts(place) -> dict[str, Any]:
    context = place.folder / "context"
    context.mkdir()
    (context / "plan").write_text("plan")
    return {"mounts": (Mount(PurePosixPath(context), PurePosixPath(place.project / ".autopilot")),)}


@pytest.mark.parametrize("target", ["/newroot/usr/share", "/nowhere", "folder", ".", "../../etc"])
def test_a_link_in_a_dependency_layer_does_not_move_its_context(place, confined, target: str) -> None:
    layer = place.folder / "layer"
    layer.mkdir()
    (layer / ".autopilot").symlink_to(target)
    spec = place.sh("cat .autopilot/plan", layers=(PurePosixPath(layer),), **contexts(place), **AGENT)
    assert run(confined, spec).output == b"plan"


def plant_link(path: Path) -> None:
    path.symlink_to("folder")


def plant_file(path: Path) -> None:
    path.write_text("a file")


@pytest.mark.parametrize("plant", [plant_link, plant_file])
def test_what_the_repository_has_in_its_contexts_place_is_refused_by_name(place, confined, plant: Callable) -> None:
    plant(place.backing / ".autopilot")
    ended = run(confined, place.sh("echo ran", **contexts(place), **AGENT)).ended
    assert ended == NeverRan(".autopilot in the repository is not a folder, and the agent's context is mounted there")
    assert sorted(path.name for path in (place.backing / "folder").iterdir()) == ["deep.txt"]


def test_an_agents_own_sandbox_works_inside(place, confined) -> None:
    nested = "bwrap --unshare-user --unshare-net --ro-bind / / --tmpfs /tmp --dev /dev true"
    assert run(confined, place.sh(nested, nested=True, **AGENT)).ended == Exited(0)
    for agent in ({}, AGENT):  # who has none, and a verification command, has no use for one
        assert run(confined, place.sh(nested, **agent)).ended != Exited(0)


def test_our_records_and_the_users_homes_are_hidden_from_agents_too(place, confined) -> None:
    decoy = place.state / "key"
    place.state.mkdir(exist_ok=True)
    decoy.write_text("secret")
    assert run(confined, place.spec("cat", str(decoy), **AGENT)).ended != Exited(0)


def test_code_that_an_agent_runs_cannot_speak_in_its_place(place, confined) -> None:
    """Its tools have an output of their own; through /proc they must not get at that of the agent."""
    tool = 'for fd in /proc/[0-9]*/fd/[12]; do echo forged >"$fd"; done'
    running = confined.start(place.sh(f"echo said; ({tool}) >own.txt 2>&1 </dev/null; echo done; sleep 0.1", **AGENT))
    assert list(running.lines()) == [b"said", b"done"]
    assert running.wait().ended == Exited(0)
    assert "forged" in (place.backing / "own.txt").read_text(), "the control: its own it can open once more"


def test_the_server_for_tools_refuses_to_start_in_a_sandbox_of_ours(place) -> None:
    """covers: MCP-SANDBOX"""
    sandbox = Bubblewrap(place.state, shown=(SOURCES, PACKAGES))
    for profile in (Profile.VERIFY, Profile.AGENT):
        told = {"HOME": "/tmp/elsewhere", "AUTOPILOT_STATE_HOME": "/tmp/elsewhere"}
        outcome = run(sandbox, place.spec(PYTHON, "-c", START, profile=profile, env=told))
        assert outcome.ended == Exited(5), outcome.output
        assert b"this is one of Autopilot's own sandboxes" in outcome.output


def test_no_place_outside_is_mistaken_for_a_sandbox_of_ours(tmp_path: Path) -> None:
    assert not is_inside(), "the control"
    (tmp_path / "status").write_text("Name:\tpython3\nSeccomp:\t2\n")
    for mounts in ("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", "22 1 0:5 / / ro - tmpfs tmpfs ro\n", "nonsense\n"):
        (tmp_path / "mountinfo").write_text(mounts)
        assert not is_inside(tmp_path), "a container, or another program's sandbox"
    ours = "22 1 0:5 / / ro - tmpfs tmpfs ro\n23 22 0:6 / /tmp/home rw - ext4 /dev/sda1 rw\n"
    (tmp_path / "mountinfo").write_text(ours)
    assert is_inside(tmp_path)
