"""Services beside a command: ready before it, fresh for each, gone with it, and every way to fail has its own words.

The service is a counter of a few lines: it answers every connection with how many it has had.
"""

from __future__ import annotations

import os
import shlex
import socket
import sys
from pathlib import Path

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.services.time_limit import TimeLimit
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.adapters.sandbox.user import INSIDE, render_accounts
from autopilot.model.conditions import Conditions, Daemon
from autopilot.model.egress import Egress
from autopilot.ports.sandbox import DaemonLost, Exited, NeverRan, Outcome, Profile, TimedOut, run

# covers: T5.services

PYTHON = shlex.quote(f"{sys.base_prefix}/bin/python3")
COUNT = """
import socket
server = socket.create_server(("127.0.0.1", {port}))
number = 0
while True:
    client, _ = server.accept()
    number += 1
    client.sendall(str(number).encode())
    client.close()
"""
ASK = "import socket; print(socket.create_connection(('127.0.0.1', {port}), timeout=5).recv(9).decode())"


@pytest.fixture
def port() -> int:
    """Free on this machine: without walls it is the machine's own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def counter(port: int, name: str = "counter", **more) -> Daemon:
    given = {"start": f"echo up; exec {PYTHON} -c {shlex.quote(COUNT.format(port=port))}", "port": port, **more}
    return Daemon(name, **given)


def ask(port: int) -> str:
    return f"{PYTHON} -c {shlex.quote(ASK.format(port=port))}"


def attended(sandbox, place, script: str, *services: Daemon, **more) -> Outcome:
    return run(sandbox, place.sh(script, services=services, **more))


def test_a_service_is_ready_before_its_command_and_begins_anew_for_the_next(sandbox, place, port) -> None:
    for _ in range(2):
        outcome = attended(sandbox, place, f"{ask(port)}; {ask(port)}", counter(port))
        # The first connection was ours, to see that it is ready.
        assert (outcome.ended, outcome.output) == (Exited(0), b"2\n3\n")
        assert [started.name for started in outcome.services] == ["counter"]


def test_the_command_keeps_its_own_status_input_report_and_variables(sandbox, place, port) -> None:
    script = 'echo reported >&"$REPORT_FD"; cat; echo "$GIVEN $OWN"; exit 3'
    letter = place.folder / "letter"
    letter.write_text("input\n")
    daemon = counter(port, env={"GIVEN": "given"})
    more = {"services": (daemon,), "report": True, "stdin": letter, "env": {"OWN": "own"}}
    outcome = run(sandbox, place.spec("bash", "-c", script, **more))
    assert (outcome.ended, outcome.output, outcome.report) == (Exited(3), b"input\ngiven own\n", b"reported\n")


def test_several_are_started_one_after_the_other(sandbox, place, port) -> None:
    first = counter(port, "first")
    second = Daemon("second", f"{ask(port)} >seen; sleep 60", ready="test -s seen")
    outcome = attended(sandbox, place, "cat seen", first, second)
    assert (outcome.ended, [started.name for started in outcome.services]) == (Exited(0), ["first", "second"])


def test_one_that_goes_on_in_the_background_is_a_service_too(sandbox, place, port) -> None:
    daemon = Daemon(
        "counter", f"setsid {counter(port).start.removeprefix('echo up; exec ')} >/dev/null 2>&1 &", port=port
    )
    assert attended(sandbox, place, ask(port), daemon).ended == Exited(0)


def test_nothing_of_it_is_left_afterwards(sandbox, place, port) -> None:
    """Neither itself nor what it starts in sessions of their own."""
    mark = f"{port}.{os.getpid()}"
    daemon = counter(port, start=f"setsid sleep {mark} & sleep {mark} & {counter(port).start}")
    assert attended(sandbox, place, "true", daemon).ended == Exited(0)
    assert not [path for path in Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in _read(path)]
    with socket.create_server(("127.0.0.1", port)):
        pass


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_command_is_not_started_where_its_service_is_not_ready(sandbox, place, port) -> None:
    for daemon, words in (
        (
            Daemon("db", "echo no room; exit 3", port=port),
            "ended with exit status 3 before it was ready; it printed: no room",
        ),
        (Daemon("db", "no-such-program", port=port), "ended with exit status 127 before it was ready"),
        (Daemon("db", "kill -9 $$", port=port), "ended with exit status 137 before it was ready; it printed nothing"),
        (Daemon("db", "sleep 60", port=port, ready_s=0.5), "was not ready within 0.5 s (Connection refused)"),
        (Daemon("db", "sleep 60", "echo starting; false", ready_s=3), "was not ready within 3 s (starting)"),
    ):
        outcome = attended(sandbox, place, "touch ran; echo ran", daemon)
        assert isinstance(outcome.ended, NeverRan) and outcome.ended.daemon == "db"
        assert f"the service db {words}" in outcome.ended.reason
        assert outcome.output == b""


def test_a_port_that_is_taken_is_named_before_anything_answers_in_its_place(place, confined, port) -> None:
    twice = attended(confined, place, "true", counter(port), counter(port, "other"))
    taken = f"port {port} of the service other is taken before it is started, by another service"
    assert twice.ended == NeverRan(taken, "other")
    granted = attended(confined, place, "true", counter(port), egress=Egress((), (port,), is_proxied=False))
    assert isinstance(granted.ended, NeverRan) and "that your settings name ([verify] ports)" in granted.ended.reason


def test_a_service_of_the_users_own_never_stands_in_for_the_projects(place, port) -> None:
    """Where checks share the network of the machine, they would empty the user's own database."""
    with socket.create_server(("127.0.0.1", port)):
        for sandbox, more in ((Bubblewrap(place.state), {"network": True}), (Unconfined(place.state), {})):
            sandbox.give_away(place.backing)
            ended = attended(sandbox, place, "true", counter(port), **more).ended
            assert (
                isinstance(ended, NeverRan)
                and "is taken before it is started, by a program of this machine" in ended.reason
            )
            unnamed = Daemon("db", "sleep 60", ready=ask(port).replace(".recv(9).decode()", ""))
            ended = attended(sandbox, place, "true", unnamed, **more).ended
            assert ended == NeverRan("something answers in place of the service db before it is started", "db")


@pytest.mark.parametrize("address", ["::1", "127.0.0.2"])
def test_neither_does_one_that_holds_the_port_at_another_address(place, port, address) -> None:
    """`localhost` leads to ::1 as well, and the probe would have been answered by it."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    probe = ask(port).replace("127.0.0.1", address).replace(".recv(9).decode()", "")
    answered = Daemon("db", "sleep 60", ready=probe, port=port, ready_s=1.0)
    for sandbox, more in ((Bubblewrap(place.state), {"network": True}), (Unconfined(place.state), {})):
        sandbox.give_away(place.backing)
        with socket.create_server((address, port), family=family):
            ended = attended(sandbox, place, "true", answered, **more).ended
            assert isinstance(ended, NeverRan) and "by a program of this machine" in ended.reason, ended
        assert attended(sandbox, place, "true", counter(port), **more).ended == Exited(0), "the control: it is free"


def test_a_port_that_nobody_inside_may_listen_on_is_not_called_taken(confined, place) -> None:
    ended = attended(confined, place, "true", Daemon("web", "sleep 60", port=80)).ended
    words = "port 80 of the service web cannot be listened on (Permission denied): write one from 1024 on"
    assert ended == NeverRan(words, "web")


def test_one_that_is_gone_when_the_command_ends_is_missed_whatever_the_command_says(sandbox, place, port) -> None:
    wait = "while [ ! -e {} ]; do sleep 0.05; done"
    end = f"{wait.format('asked')}; kill %1; wait %1; echo out of memory; touch bye; exit 4"
    outcome = attended(
        sandbox, place, f"touch asked; {wait.format('bye')}", counter(port, start=f"({counter(port).start}) & {end}")
    )
    assert isinstance(outcome.ended, DaemonLost)
    assert "the service counter was gone when the command ended: it ended with exit status 4" in outcome.ended.reason
    assert "it printed: up / out of memory" in outcome.ended.reason


def test_a_command_that_ends_the_program_beside_it_proves_nothing(confined, place, port) -> None:
    assert isinstance(attended(confined, place, "kill -9 $PPID; exit 0", counter(port)).ended, DaemonLost)


FORGE = """
import os, sys
for pid in (os.getppid(), *map(int, filter(str.isdigit, os.listdir("/proc")))):
    for number in os.listdir(f"/proc/{pid}/fd"):
        place = f"/proc/{pid}/fd/{number}"
        if "memfd:report" in os.readlink(place):
            os.pwrite(os.open(place, os.O_RDWR), eval(sys.argv[1]), 0)
            os.kill(os.getppid(), 9)
            sys.exit()
"""


@pytest.mark.parametrize(
    ("forged", "is_read"),
    [
        ('b\'{"problem":{"name":"counter","kind":"late"}}\\n\'', True),  # the control: it can be written to
        ('b\'{"problem":{"name":"\' + b\'A\' * 500_000 + b\'","kind":"late"}}\\n\'', False),
        ('b\'{"ready":[["another",1]],"printed":[1]}\\n\'', False),
        ("b'{}\\n' * 11_000_000", False),
        ("b'\\n' * 32_000_000", False),
    ],
)
def test_what_a_command_forges_about_its_services_is_bounded(confined, place, port, forged: str, is_read: bool) -> None:
    """It can write where they are reported, and only make its own result worthless: by no other name, at no length."""
    outcome = run(
        confined, place.spec(f"{sys.base_prefix}/bin/python3", "-c", FORGE, forged, services=(counter(port),))
    )
    assert isinstance(outcome.ended, NeverRan if is_read else DaemonLost)
    assert len(outcome.ended.reason) < 200 and not outcome.services


def test_no_program_of_ours_runs_with_the_variables_of_a_service(confined, place, port) -> None:
    """A repository chooses them, and some have code loaded into any program: ours hold what leads to this machine."""
    daemon = counter(port, env={"GCONV_PATH": "/chosen"})
    outcome = attended(confined, place, "env; cat /proc/1/environ /proc/$PPID/environ", daemon)
    assert outcome.ended == Exited(0)
    assert outcome.output.count(b"GCONV_PATH=/chosen") == 1, "the command's own alone"


def test_a_flood_of_its_output_is_read_and_named(confined, place, port) -> None:
    flooding = counter(port, start=f"yes flood & {counter(port).start}")
    outcome = attended(confined, place, "sleep 1", flooding)
    assert outcome.ended == Exited(0)
    assert outcome.services[0].printed > 1 << 20
    never = attended(confined, place, "true", Daemon("db", "yes flood", port=port, ready_s=1.0))
    assert isinstance(never.ended, NeverRan)
    assert "MB, of which only the end is kept; it printed: flood / flood" in never.ended.reason


def test_the_time_of_a_command_begins_when_its_services_are_ready(confined, place, port) -> None:
    """By a clock of the test's own; and a command that never ends meets its limit beside a real one."""
    spec = place.sh("true", services=(counter(port, ready_s=30.0),), timeout_s=10.0)
    ready: list[bool] = []
    limit = TimeLimit(spec, 100.0, lambda: bool(ready))
    assert not limit.is_over(140.0), "longer than its own time, for the services are not ready"
    ready.append(True)
    assert [limit.is_over(now) for now in (150.0, 159.0, 160.0)] == [False, False, True]
    assert TimeLimit(spec, 100.0, lambda: False).is_over(170.0), "it ends although they never tell"
    assert TimeLimit(place.sh("true", timeout_s=10.0), 100.0, lambda: True).is_over(110.0), "without services"
    assert attended(confined, place, "sleep 900", counter(port), timeout_s=1.0).ended == TimedOut(1.0)


def test_a_service_is_as_confined_as_the_check_beside_it(confined, place, port) -> None:
    tried = "id -u >who; ls /root >home 2>&1; touch /usr/x 2>/dev/null || echo refused >written; "
    outcome = attended(confined, place, "cat who home written", counter(port, start=tried + counter(port).start))
    assert outcome.ended == Exited(0)
    assert outcome.output.splitlines()[0] != b"0" and b"refused" in outcome.output
    assert not (place.backing / "who").exists()


@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.SETUP])
def test_variables_of_the_users_are_given_by_name_and_only_to_who_names_them(place, profile) -> None:
    sandbox = Bubblewrap(place.state, granted={"TOKEN": "value", "OTHER": "not asked for"})
    sandbox.give_away(place.backing)
    more = {"profile": profile}
    assert run(sandbox, place.sh("env", grants=("TOKEN", "UNSET"), **more)).output.count(b"TOKEN=value\n") == 1
    assert b"OTHER" not in run(sandbox, place.sh("env", grants=("TOKEN",), **more)).output
    assert b"TOKEN" not in run(sandbox, place.sh("env", **more)).output


@pytest.mark.parametrize("kind", [Bubblewrap, Unconfined])
def test_a_variable_that_the_user_has_taken_back_is_given_no_more(place, kind) -> None:
    """A run keeps the conditions that it began with; a variable of setup's alone is none of a check's, nor reversed."""
    for_setup, for_checks = Conditions(setup_env=("TOKEN",)), Conditions(env=("TOKEN",))
    cases = ((Profile.VERIFY, for_checks, for_setup), (Profile.SETUP, for_setup, for_checks))
    for profile, named, elsewhere in cases:
        for allowed, is_given in ((named, True), (elsewhere, False), (Conditions(), False)):
            sandbox = kind(place.state, granted={"TOKEN": "value"}, allowed=allowed)
            sandbox.give_away(place.backing)
            printed = run(sandbox, place.sh("env", grants=("TOKEN",), profile=profile)).output
            assert (b"TOKEN=value\n" in printed) == is_given, (profile, allowed)


VALUE = "tok-" + "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("printing", "control"),
    [
        ('printf "%0270d%s\\n" 0 "$TOKEN"', "0tok-0123456789abcdef"),  # its end is beyond what is shown of a line
        ('printf "%s%016360d\\nlast\\n" "$TOKEN" 0', "it printed: last"),  # its beginning is before what is kept
        ('printf "%s\\033[0m%s\\n" "${TOKEN:0:20}" "${TOKEN:20}"', VALUE),
    ],
)
def test_no_part_of_a_value_is_left_where_what_a_service_printed_is_cut(place, port, printing, control) -> None:
    daemon = Daemon("db", f"{printing}; exit 3", port=port)
    sandbox = Bubblewrap(place.state, granted={"TOKEN": VALUE})
    sandbox.give_away(place.backing)
    ended = attended(sandbox, place, "true", daemon, grants=("TOKEN",)).ended
    assert isinstance(ended, NeverRan) and "exit status 3" in ended.reason
    assert "abcdef" not in ended.reason
    plain = attended(sandbox, place, "true", daemon, env={"TOKEN": VALUE}).ended
    assert isinstance(plain, NeverRan) and control in plain.reason, "what is no secret is shown"


def test_the_user_inside_has_a_name_although_the_machine_knows_none(place) -> None:
    """PostgreSQL does not start for a number without an account."""

    class Unknown(Bubblewrap):
        def _accounts(self) -> str:
            return render_accounts("root:x:0:0:root:/root:/bin/bash\n", os.getuid() or INSIDE, "/tmp/home")

    sandbox = Unknown(place.state)
    sandbox.give_away(place.backing)
    assert run(sandbox, place.sh("id -un; getent passwd root | cut -d: -f1")).output == b"user\nroot\n"


def test_accounts_are_left_alone_where_none_is_missing() -> None:
    known = "root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/sh\n"
    assert render_accounts(known, 1000, "/tmp/home") == ""
    assert render_accounts(known, 1001, "/tmp/home") == f"{known}user:x:1001:1001::/tmp/home:/bin/bash\n"
