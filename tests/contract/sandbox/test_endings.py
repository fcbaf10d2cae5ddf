"""How a command ended is known exactly, and a sandbox that failed never looks like a command that failed (T5, T6)."""

from __future__ import annotations

import threading
from pathlib import Path, PurePosixPath

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.sandbox import Exited, Killed, NeverRan, Stalled, TimedOut, run

# covers: T3.path, T5.status, T6.end

# covers: T5, T6
pytestmark = pytest.mark.usefixtures("no_leaks")


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("exit 0", 0),
        ("exit 1", 1),
        ("exit 3", 3),
        ("exit 255", 255),
        ("kill -9 $$", 137),
        ("kill -SEGV $$", 139),
        ("kill -TERM $$", 143),
        ("exec no-such-command", 127),
        ("exec /etc/passwd", 126),
    ],
)
def test_the_exit_code_is_the_commands_own(sandbox, place, script, code) -> None:
    assert run(sandbox, place.sh(script)).ended == Exited(code)


def test_a_command_that_is_not_there_is_127_and_one_that_cannot_be_executed_126(sandbox, place) -> None:
    assert run(sandbox, place.spec("no-such-command")).ended == Exited(127)
    assert run(sandbox, place.spec("/etc/passwd")).ended == Exited(126)


def test_arguments_arrive_as_they_are(sandbox, place) -> None:
    words = ("a b", "$HOME", "'", '"', "\\", "ü", "", "-x", "new\nline")
    assert run(sandbox, place.spec("printf", "[%s]", *words)).head.decode() == "".join(f"[{word}]" for word in words)


def test_a_command_that_signals_its_own_group_still_reports_its_exit_code(sandbox, place) -> None:
    outcome = run(sandbox, place.spec("bash", "-c", "trap 'exit 5' TERM; kill 0; sleep 5"))
    assert outcome.ended == Exited(5)


def test_a_command_over_its_time_is_timed_out(sandbox, place) -> None:
    assert run(sandbox, place.sh("sleep 60", timeout_s=0.3)).ended == TimedOut(0.3)


def test_a_command_that_ignores_the_request_to_end_is_ended_all_the_same(sandbox, place) -> None:
    assert run(sandbox, place.sh("trap '' TERM; while :; do sleep 0.05; done", timeout_s=0.3)).ended == TimedOut(0.3)


def test_a_command_has_a_moment_to_clean_up_before_it_is_killed(sandbox, place) -> None:
    outcome = run(sandbox, place.sh("trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.02; done", timeout_s=3))
    assert outcome.ended == TimedOut(3)
    assert b"cleaned" in outcome.output


def test_silence_beyond_the_limit_is_a_stall_and_output_is_not(sandbox, place) -> None:
    assert run(sandbox, place.sh("echo one; sleep 60", stall_s=0.4)).ended == Stalled(0.4)
    talking = place.sh("for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.4; done", stall_s=3)
    assert run(sandbox, talking).ended == Exited(0)


def test_a_command_can_be_stopped_from_another_thread_and_twice(sandbox, place) -> None:
    running = sandbox.start(place.sh("sleep 60"))
    stoppers = [threading.Timer(0.2, running.stop, [0.1]) for _ in range(2)]
    for stopper in stoppers:
        stopper.start()
    assert running.wait().ended == Killed("stopped")
    for stopper in stoppers:
        stopper.join()
    running.stop()
    assert running.wait().ended == Killed("stopped")


@pytest.mark.parametrize("kind", [Bubblewrap, Unconfined])
def test_a_reason_to_stop_ends_the_command_and_is_told(kind, place) -> None:
    reasons = iter([""] * 3)
    sandbox = kind(place.state, should_stop=lambda: next(reasons, "SIGTERM"))
    assert run(sandbox, place.sh("sleep 60")).ended == Killed("SIGTERM")


def test_it_ends_when_the_command_ends_though_a_child_holds_the_pipe(sandbox, place) -> None:
    outcome = run(sandbox, place.sh("sleep 300 & echo done; exit 4"))
    assert outcome.ended == Exited(4)
    assert outcome.output == b"done\n"


def test_standard_input_is_empty_or_the_given_file(sandbox, place) -> None:
    assert run(sandbox, place.spec("cat")).output == b""
    prompt = place.folder / "a prompt.txt"
    prompt.write_bytes(b"do this\nand that")
    assert run(sandbox, place.spec("cat", stdin=PurePosixPath(prompt))).output == b"do this\nand that"


def test_a_missing_input_file_is_a_command_that_never_ran(sandbox, place) -> None:
    outcome = run(sandbox, place.spec("cat", stdin=PurePosixPath("/no/such/file")))
    assert isinstance(outcome.ended, NeverRan)


def test_without_bubblewrap_nothing_runs_and_nothing_failed(place) -> None:
    outcome = run(Bubblewrap(place.state, bwrap="no-such-bwrap"), place.sh("exit 1"))
    assert outcome.ended == NeverRan("bubblewrap (bwrap) is not installed")


def test_an_overlay_that_cannot_be_mounted_is_not_a_failed_command(confined, place) -> None:
    # More layers than the kernel takes in one page of options: our own look finds nothing wrong with them.
    layers = [place.folder / f"layer-{number:03}-{'x' * 100}" for number in range(60)]
    for layer in layers:
        layer.mkdir()
    outcome = run(confined, place.sh("exit 1", layers=tuple(PurePosixPath(layer) for layer in layers)))
    assert isinstance(outcome.ended, NeverRan)
    assert "mount" in outcome.ended.reason


def test_a_layer_that_is_not_a_folder_is_not_a_failed_command(confined, place) -> None:
    outcome = run(confined, place.sh("exit 1", layers=(PurePosixPath(place.backing / "kept.txt"),)))
    assert isinstance(outcome.ended, NeverRan)


def test_bubblewraps_own_failure_is_not_the_commands_exit_code_1(confined, place) -> None:
    class Broken(Bubblewrap):
        def _arguments(self, spec, find):
            return [*super()._arguments(spec, find), "--bind", "/no/such/source", "/tmp/target"]

    outcome = run(Broken(place.state), place.sh("exit 1"))
    assert isinstance(outcome.ended, NeverRan)
    assert "/no/such/source" in outcome.ended.reason


@pytest.mark.parametrize("letter", [",", ":", "\\", '"'])
def test_a_path_that_an_overlay_would_misread_is_refused_with_the_reason(confined, place, letter) -> None:
    layer = place.folder / f"odd{letter}name"
    layer.mkdir()
    outcome = run(confined, place.sh("exit 0", layers=(PurePosixPath(layer),)))
    assert isinstance(outcome.ended, NeverRan)
    assert "overlay cannot take" in outcome.ended.reason


def test_a_full_scratch_space_proves_nothing(place) -> None:
    small = Bubblewrap(place.state, scratch_mb=8)
    fill = "head -c 50000000 /dev/zero >big; exit 1"
    ended = run(small, place.sh(fill)).ended
    assert isinstance(ended, NeverRan)
    assert "sandbox_scratch_mb = 16 in your settings.toml" in ended.reason
    # Filled and emptied again: what was seen in between decides.
    assert isinstance(run(small, place.sh(f"({fill}); sleep 0.6; rm -f big; exit 1")).ended, NeverRan)
    # Control: with room, the same command has simply failed.
    assert run(Bubblewrap(place.state, scratch_mb=128), place.sh(fill)).ended == Exited(1)


@pytest.mark.parametrize("spelling", ["No space left on device", "OSError: [Errno 28] ENOSPC", "Disk quota exceeded"])
def test_a_command_cannot_call_the_space_full_by_what_it_prints(place, spelling) -> None:
    """A failed test stays a failed test: only the file system says that there was no room."""
    outcome = run(Bubblewrap(place.state), place.sh(f"echo '{spelling}'; echo '{spelling}' >&2; exit 1"))
    assert outcome.ended == Exited(1)
    assert spelling.encode() in outcome.output


def test_a_space_that_fills_slowly_and_is_emptied_at_once_was_full(place) -> None:
    """Half full, it is looked at more often: an ordinary look would come too late."""
    filled = "for n in 1 2 3 4 5 6 7 8 9; do head -c 1000000 /dev/zero >>big || break; sleep 0.1; done"
    emptied = f"{filled}; sleep 0.04; rm -f big; exit 1"
    assert isinstance(run(Bubblewrap(place.state, scratch_mb=8), place.sh(emptied)).ended, NeverRan)
    assert run(Bubblewrap(place.state, scratch_mb=128), place.sh(emptied)).ended == Exited(1)


def test_temporary_files_count_against_the_same_space(place) -> None:
    small = Bubblewrap(place.state, scratch_mb=8)
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "$HOME"):
        outcome = run(small, place.sh(f"head -c 50000000 /dev/zero >{folder}/big 2>/dev/null; exit 1"))
        assert isinstance(outcome.ended, NeverRan), folder


def test_the_path_inside_is_the_users_own_whatever_backs_it(confined, place) -> None:
    assert run(confined, place.spec("pwd")).output.decode().strip() == str(place.project)


def test_nothing_is_left_in_the_registry_or_of_the_copies(sandbox, place) -> None:
    run(sandbox, place.sh("exit 0"))
    left = [path for path in Path(place.state).rglob("*") if path.is_file()]
    assert left == []


def test_a_command_outlives_the_thread_that_asked_for_it(sandbox, place) -> None:
    started = []
    asking = threading.Thread(target=lambda: started.append(sandbox.start(place.sh("sleep 0.5; exit 8"))))
    asking.start()
    asking.join()
    assert started[0].wait().ended == Exited(8)


def test_a_stop_before_the_command_has_begun_is_not_a_failure_of_the_sandbox(sandbox, place) -> None:
    running = sandbox.start(place.sh("sleep 60"))
    running.stop(grace_s=0)
    assert running.wait().ended == Killed("stopped")
