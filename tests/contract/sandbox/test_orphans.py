"""What a killed Autopilot leaves behind is ended by the next one, and nobody else's process is (T6)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from autopilot.adapters.sandbox.bubblewrap import INSIDE, Bubblewrap
from autopilot.adapters.sandbox.proctree import end_all, identify
from autopilot.adapters.sandbox.registry import Record, Registry, boot_id
from autopilot.adapters.sandbox.unconfined import Unconfined

# covers: T6
STARTER = """
import sys, time
from pathlib import Path, PurePosixPath
from autopilot.adapters.sandbox.bubblewrap import INSIDE, Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.sandbox import CommandSpec, Profile

class Clinging(Bubblewrap):
    def _arguments(self, spec, find):
        return [word for word in super()._arguments(spec, find) if word != "--die-with-parent"]

class Slow(Bubblewrap):
    def __init__(self, state):
        super().__init__(state, bwrap=str(state.parent / "slow-bwrap"))

kind, state, project, script = sys.argv[1:]
kinds = {"confined": Bubblewrap, "clinging": Clinging, "slow": Slow, "unconfined": Unconfined}
sandbox = kinds[kind](Path(state))
print("starting", flush=True)
place = PurePosixPath(project)
spec = CommandSpec(("sh", "-c", script), Profile.AGENT, place, place, timeout_s=300, label="run/1/execute")
for line in sandbox.start(spec).lines():
    print(line.decode(), flush=True)
"""
DAEMON = "setsid sh -c 'setsid sleep 31.4159005 & sleep 31.4159005' & echo up; sleep 31.4159005"


@contextmanager
def starting(kind: str, place, script: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that is about to start a sandboxed command; killed without warning in the end."""
    argv = [sys.executable, "-c", STARTER, kind, str(place.state), str(place.backing), script]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as starter:
        try:
            assert starter.stdout is not None
            assert starter.stdout.readline() == b"starting\n"
            yield starter
        finally:
            starter.kill()


def leave_behind(kind: str, place, script: str = DAEMON) -> None:
    with starting(kind, place, script) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == b"up\n"


def gone(alive: Callable[[str], list[int]], within_s: float = 60.0) -> bool:
    deadline = time.monotonic() + within_s
    while alive("31.4159005") and time.monotonic() < deadline:
        time.sleep(0.02)
    return alive("31.4159005") == []


def recorded(place) -> list[Path]:
    return list((place.state / "processes").glob("*.json"))


def wrapper_gone(place, within_s: float = 60.0) -> bool:
    """bubblewrap itself ends after the command, and on a busy machine noticeably later."""
    [record] = recorded(place)
    wrapper = Path("/proc", str(json.loads(record.read_bytes())["pid"]))
    deadline = time.monotonic() + within_s
    while wrapper.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not wrapper.exists()


def test_a_confined_command_dies_with_autopilot(place, alive) -> None:
    leave_behind("confined", place)
    assert gone(alive)
    assert wrapper_gone(place)
    assert Bubblewrap(place.state).end_orphans() == ()
    assert list((place.state / "processes").iterdir()) == []


def test_a_command_never_runs_when_autopilot_dies_before_bubblewrap_has_tied_it(place, alive) -> None:
    slow, release = place.folder / "slow-bwrap", place.folder / "release"
    waiting = f"for _ in $(seq 600); do [ -e {release} ] && break; sleep 0.1; done"
    slow.write_text(f'#!/bin/sh\n{waiting}\nexec bwrap "$@"\n')
    slow.chmod(0o755)
    place.open_to_all()
    with starting("slow", place, "touch ran; sleep 31.4159005"):
        deadline = time.monotonic() + 60
        while not (alive(f"{slow}\0--args") and recorded(place)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert alive(f"{slow}\0--args") and recorded(place)
    assert alive(f"{slow}\0--args")  # it is on its own now, and goes on
    release.touch()
    assert wrapper_gone(place)
    assert gone(alive)
    assert not (place.backing / "ran").exists()


@pytest.mark.parametrize("after_ms", [0, 4, 8, 12, 16, 20, 25, 30, 40, 60])
def test_whenever_autopilot_dies_the_command_does_not_go_on(place, alive, after_ms) -> None:
    """A kill in the instant in which bubblewrap lets its child go may leave that child, waiting; it runs nothing."""
    with starting("confined", place, "sleep 31.4159005"):
        time.sleep(after_ms / 1000)
    time.sleep(0.3)
    assert alive("sleep\x0031.4159005") == []
    Bubblewrap(place.state).end_orphans()
    assert gone(alive)


def test_no_control_group_of_a_killed_autopilot_is_left(place, alive) -> None:
    leave_behind("confined", place)
    assert gone(alive)
    (path,) = (place.state / "processes").iterdir()
    group = Path(msgspec.json.decode(path.read_bytes(), type=Record).cgroup or "/nowhere")
    assert group.name.startswith("autopilot-") or os.geteuid() != 0  # an ordinary user has none
    Bubblewrap(place.state).end_orphans()
    assert not group.exists()


def test_a_confined_command_that_outlived_autopilot_is_ended_whole(place, alive) -> None:
    leave_behind("clinging", place)
    assert alive("31.4159005") != []
    assert Bubblewrap(place.state).end_orphans() == ("run/1/execute",)
    assert gone(alive)
    assert list((place.state / "processes").iterdir()) == []


def test_an_unconfined_command_is_ended_whole_by_the_next_run(place, alive) -> None:
    leave_behind("unconfined", place)
    assert alive("31.4159005") != []
    assert Unconfined(place.state).end_orphans() == ("run/1/execute",)
    assert gone(alive)
    assert list((place.state / "copies").iterdir()) == []


def test_daemons_of_an_unconfined_command_are_found_though_the_command_itself_has_ended(place, alive) -> None:
    leave_behind("unconfined", place, "setsid sleep 31.4159005 & echo up; sleep 0.3")
    deadline = time.monotonic() + 60
    while alive("echo up") and time.monotonic() < deadline:  # the command itself
        time.sleep(0.02)
    assert alive("31.4159005") != []
    assert Unconfined(place.state).end_orphans() == ("run/1/execute",)
    assert gone(alive)


@pytest.fixture
def decoy():
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def record(place, **changes) -> Path:
    folder = place.state / "processes"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{changes['pid']}.json"
    known = {"started": 1, "mark": 0, "boot": boot_id(), "label": "old"}
    path.write_bytes(msgspec.json.encode(Record(**{**known, **changes})))
    return path


def test_a_process_that_merely_has_the_same_number_is_left_alone(place, decoy) -> None:
    path = record(place, pid=decoy.pid, started=1)
    assert Registry(place.state).end_orphans() == ()
    assert decoy.poll() is None
    assert not path.exists()


def test_a_process_of_an_earlier_boot_is_left_alone(place, decoy) -> None:
    process = identify(decoy.pid)
    assert process is not None
    record(place, pid=decoy.pid, started=process.started, boot="another boot")
    assert Registry(place.state).end_orphans() == ()
    assert decoy.poll() is None


def test_a_process_that_is_the_one_listed_is_ended(place, decoy) -> None:
    process = identify(decoy.pid)
    assert process is not None
    record(place, pid=decoy.pid, started=process.started)
    assert Registry(place.state).end_orphans() == ("old",)
    assert decoy.wait() == -signal.SIGKILL


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xfe"])
def test_a_torn_record_is_removed_and_harms_nobody(place, content) -> None:
    folder = place.state / "processes"
    folder.mkdir(parents=True)
    (folder / "1.json").write_bytes(content)
    assert Registry(place.state).end_orphans() == ()
    assert list(folder.iterdir()) == []


def test_what_runs_now_is_not_an_orphan_and_keeps_its_files(sandbox, place) -> None:
    running = sandbox.start(place.sh("echo up; sleep 1; cat kept.txt && touch $HOME/written && exit 6"))
    assert next(running.lines()) == b"up"
    assert sandbox.end_orphans() == ()
    assert running.wait().ended.code == 6


def test_the_child_is_written_down_before_the_command_starts(sandbox, place) -> None:
    running = sandbox.start(place.sh("echo up; sleep 60"))
    assert next(running.lines()) == b"up"
    files = list((place.state / "processes").iterdir())
    assert [msgspec.json.decode(path.read_bytes())["label"] for path in files] == ["test"]
    assert all(Path("/proc", path.stem.partition("-")[0]).exists() for path in files)
    running.stop(0)
    running.wait()


def read_child(told: int) -> int:
    """bubblewrap tells it in several writes, so that one read may hold half of it."""
    heard = b""
    while not heard.rstrip().endswith(b"}") and (more := os.read(told, 4096)):
        heard += more
    return int(json.loads(heard)["child-pid"])


@pytest.fixture
def unstarted() -> Iterator[int]:
    """The first process of a sandbox whose bubblewrap was killed before it told it to go on."""
    told, info = os.pipe()
    never, hold = os.pipe()
    argv = ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/"]
    argv += ["--info-fd", str(info), "--userns-block-fd", str(never), "--", "/bin/sh", "-c", INSIDE]
    with subprocess.Popen(argv, pass_fds=(info, never), start_new_session=True) as starter:
        os.close(info)  # its end is heard when it does not come to tell
        os.close(never)
        try:
            pid = read_child(told)
        finally:
            starter.kill()  # it waits for ever for its child, and leaving this block waits for it
    process = identify(pid)
    assert process is not None
    try:
        yield pid
    finally:
        end_all(lambda: [process] if identify(pid) == process else [])
        for fd in (told, hold):
            os.close(fd)


def test_a_sandbox_whose_starter_was_killed_before_it_began_is_ended_although_no_record_names_it(
    place, unstarted
) -> None:
    time.sleep(0.2)
    assert identify(unstarted) is not None, "nothing else ends it: it waits for ever"
    Bubblewrap(place.state).end_orphans()
    assert identify(unstarted) is None


def test_sandboxes_of_others_are_left_alone_while_they_begin_and_afterwards(place) -> None:
    mine = Bubblewrap(place.state / "another")
    with starting("confined", place, "echo up; read -r _; echo on; sleep 31.4159006") as starter:
        mine.end_orphans()
        assert starter.stdout is not None and starter.stdout.readline() == b"up\n"
        mine.end_orphans()
        assert starter.stdout.readline() == b"on\n"
