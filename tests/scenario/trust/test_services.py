"""Projects whose tests need a database: verified with a service of their own beside every check, red and green.

The services are the system's PostgreSQL and Redis. Each test of the project counts what it has stored itself, so it is
green only where no other check has left anything.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from autopilot.events.happened import RunStarted
from autopilot.model.evidence.observation import Seen
from tests.contract.egress.kit import host
from tests.scenario.kit import warm
from tests.scenario.kit.calls import Call, claim, commit_all
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, few_tries, make_world
from tests.tidy.house import ROOT

# covers: T5.services, T5.reach, T1, T7.redaction
TASK = "01-01"
# The examples of the manual, as they are written there.
WRITTEN = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", (ROOT / "docs/services.md").read_text(), re.S)]
POSTGRES = {
    "config": next(config for config in WRITTEN if "db" in config["verify"]["services"]),
    "store": """import subprocess


def ask(query):
    return subprocess.run(["psql", "-qAtc", query], check=True, capture_output=True, text=True).stdout.strip()


def add(name, amount):
    ask("create table if not exists orders (name text, amount int)")
    ask(f"insert into orders values ('{name}', {amount})")


def count():
    return int(ask("select count(*) from orders"))
""",
    "total": """

def total(name):
    return int(ask(f"select coalesce(sum(amount), 0) from orders where name = '{name}'"))
""",
}
REDIS = {
    "config": next(config for config in WRITTEN if "cache" in config["verify"]["services"]),
    "store": """import subprocess


def ask(*words):
    return subprocess.run(["redis-cli", *words], check=True, capture_output=True, text=True).stdout.strip()


def add(name, amount):
    ask("rpush", name, str(amount))
    ask("incr", "orders")


def count():
    return int(ask("get", "orders"))
""",
    "total": """

def total(name):
    return sum(int(amount) for amount in ask("lrange", name, "0", "-1").split())
""",
    "break": "subprocess.run(['redis-cli', 'shutdown'])",
}
OLD_TEST = """import unittest

import store


class Count(unittest.TestCase):
    def test_it_counts_what_was_added(self):
        store.add("pens", 1)
        self.assertEqual(store.count(), 1)
"""
NEW_TEST = """import unittest

import store


class Total(unittest.TestCase):
    def test_it_adds_up_the_orders_of_one_name(self):
        store.add("ink", 3)
        store.add("ink", 4)
        store.add("paper", 9)
        self.assertEqual(store.total("ink"), 7)
        self.assertEqual(store.total("paper"), 9)
"""
PLAN = f"""# Phase 1 Plan: Part 1

## Traceability

| Requirement | Task(s) | Description |
|---|---|---|
| PART-01 | {TASK} | totals |
| SC-1 | {TASK} | totals |

## Wave 1

<task id="{TASK}" type="auto" complexity="simple">
### Task {TASK}: Totals

**Files:** store.py, test_total.py

**Action:** Add total(name) to store.py, the sum of all orders of that name, and test_total.py.

**Verify:**
- The orders of one name are added up -- verified by: `python3 -m unittest -q test_total`

**Done:** It adds up.
</task>
"""
SCRIPT = """if python3 -m unittest -q test_total; then
  echo "PASS: The orders of one name are added up"
else
  echo "FAIL: The orders of one name are added up"
  exit 1
fi
"""


def make_shop(folder: Path, kind: dict[str, Any], **services: dict[str, Any]) -> World:
    described = {**kind["config"]["verify"]["services"], **services}
    config = {**few_tries(), **kind["config"], "verify": {"services": described}}
    world = make_world(folder, Plot(planned=True), config=config)
    world.write(f"{world.plot.folder(1)}/PLAN.md", PLAN)
    world.write(f"{world.plot.folder(1)}/tests/task-{TASK}.sh", SCRIPT)
    world.write("store.py", kind["store"])
    world.write("test_count.py", OLD_TEST)
    world.commit("a shop that counts its orders")
    return world


def add_total(kind: dict[str, Any], total: str | None = None) -> Call:
    store = {"write": "store.py", "text": kind["store"] + (total or kind["total"])}
    return claim(TASK, store, {"write": "test_total.py", "text": NEW_TEST}, *commit_all(TASK))


@pytest.fixture(scope="module", params=["PostgreSQL", "Redis"])
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Ran]:
    kind = {"PostgreSQL": POSTGRES, "Redis": REDIS}[request.param]
    world = make_shop(tmp_path_factory.mktemp("shop"), kind)
    world.play(add_total(kind))
    return world, world.run()


def test_its_work_is_seen_red_before_and_green_after_with_the_service_beside_it(shop: tuple[World, Ran]) -> None:
    world, ran = shop
    assert ran.status == 0, ran.err
    assert "def total" in world.read("store.py")
    journal = world.assemble().ports.journal
    [started] = [stored.event for stored in journal.read() if isinstance(stored.event, RunStarted)]
    assert [seen.seen for seen in started.baseline] == [Seen.PASSED], "the service is there before any work"
    verification = world.read(f"{world.plot.folder(1)}/VERIFICATION.md")
    name = next(iter(json.loads(world.read(".planning/config.json"))["verify"]["services"]))
    assert f"Beside every check: {name}, started anew for each." in verification
    assert "red at the base, green after the change" in verification
    assert "Weaker evidence" not in verification


def test_its_evidence_repeats_and_a_person_gets_the_same_service(shop: tuple[World, Ran]) -> None:
    world, _ = shop
    repeated = world.autopilot("evidence", "verify", world.status["_meta"]["run_id"])
    assert repeated.status == 0, repeated.out + repeated.err
    own = world.autopilot("shell", "1", "--", "python3 -c 'import store; store.add(\"a\", 1); print(store.count())'")
    assert (own.status, own.out) == (0, "1\n"), own.err
    assert "no network, beside it " in own.err


def test_doctor_tries_it_and_says_how_long_it_took(shop: tuple[World, Ran]) -> None:
    examined = shop[0].autopilot("doctor")
    [line] = [line for line in examined.out.splitlines() if "ready on port" in line]
    assert line.startswith("ok") and "services" in line


def test_work_that_does_not_hold_fails_with_the_service_there(tmp_path: Path) -> None:
    world = make_shop(tmp_path, REDIS)
    world.play(add_total(REDIS, "\n\ndef total(name):\n    return count()\n"))
    ran = world.run()
    assert ran.status == 1
    assert "3 != 7" in ran.out + ran.err


def test_work_that_ends_its_service_fails_by_that(tmp_path: Path) -> None:
    world = make_shop(tmp_path, REDIS)
    world.play(add_total(REDIS, f"{REDIS['total']}\n\nimport atexit\natexit.register(lambda: {REDIS['break']})\n"))
    ran = world.run()
    assert ran.status == 1
    assert "the service cache was gone when the command ended: it ended with exit status 0" in ran.out + ran.err


def test_work_that_keeps_its_service_from_starting_fails_by_that(tmp_path: Path) -> None:
    """Its settings are the project's own; on the code before the work it starts all the same."""
    service = {**REDIS["config"]["verify"]["services"]["cache"], "start": "exec redis-server ./redis.conf --dir /tmp"}
    world = make_shop(tmp_path, REDIS, cache=service)
    world.write("redis.conf", 'save ""\n')
    world.write(
        f"{world.plot.folder(1)}/PLAN.md",
        PLAN.replace("store.py, test_total.py", "store.py, test_total.py, redis.conf"),
    )
    world.commit("its own settings")
    work = add_total(REDIS)
    world.play({**work, "do": [{"write": "redis.conf", "text": "no-such-word 1\n"}, *work["do"]]})
    ran = world.run()
    assert ran.status == 1
    told = " ".join((ran.out + ran.err).split())
    assert "the service cache ended with exit status 1 before it was ready" in told
    assert "before the change it is ready" in told


def test_a_run_does_not_begin_where_its_service_cannot_be_started(tmp_path: Path) -> None:
    missing = {"start": "exec no-such-database", "port": 5432}
    world = make_shop(tmp_path, REDIS, other=missing)
    ran = world.run()
    assert ran.status == 5
    assert "the service other ended with exit status 127 before it was ready; it printed: " in ran.err
    assert "no agent was started, nothing was spent" in ran.err
    examined = world.autopilot("doctor")
    assert "cache: ready on port 6379" in examined.out
    assert "the service other ended with exit status 127" in examined.out
    assert examined.status != 0


def test_init_tries_commands_beside_the_services_that_are_described(tmp_path: Path) -> None:
    world = make_shop(tmp_path, REDIS)
    described = {"verify": REDIS["config"]["verify"]}
    world.write(".planning/config.json", json.dumps(described))
    world.write("pyproject.toml", '[project]\nname = "shop"\nversion = "1"\n')
    world.git("mv", "test_count.py", "test_counting.py")
    world.commit("without a word about commands")
    prepared = world.autopilot("init")
    assert prepared.status == 0, prepared.err
    written = json.loads(world.read(".planning/config.json"))
    assert "unittest" in written["project"]["commands"]["test"], prepared.out
    assert written["verify"] == described["verify"]


KEYS = {"API_KEY": "k-7f3a91c2e8d4", "NPM_TOKEN": "t-55b0c1d9aa03", "AWS_KEY": "a-90ffee12bb77"}
GIVING = '[verify]\nnetwork = "open"\nenv = ["API_KEY"]\n[setup]\nenv = ["NPM_TOKEN"]\n'


def test_what_the_users_settings_give_is_shown_everywhere_and_its_values_nowhere(tmp_path: Path) -> None:
    commands = {
        "setup": 'echo "setup got $NPM_TOKEN$API_KEY$AWS_KEY" >&2; [ "$NPM_TOKEN" ] && [ -z "$API_KEY$AWS_KEY" ]',
        "test": 'echo "test got $API_KEY"; [ "$API_KEY" ] && [ -z "$NPM_TOKEN$AWS_KEY" ] && sh check.sh',
    }
    asked = {"verify": {"env": ["API_KEY", "AWS_KEY"]}, "project": {"commands": commands}}
    world = make_world(tmp_path, Plot(planned=True), config={**few_tries(), **asked})
    world.set_settings(GIVING)
    words, environment = ("run", "--script", str(world.script)), {**world.environment, **KEYS}
    ran = Ran(*warm.call(words, world.project, environment, PATIENCE_S))
    assert ran.status == 0, ran.err
    assert "verify.env names `AWS_KEY`, which the [verify] env of your settings does not: it is not given" in ran.err
    reached = "checks may reach any host and every service of this machine, by your settings"
    assert f"{reached}: their evidence is weaker for it" in ran.err
    assert f"**Weaker evidence**: {reached}." in world.read(f"{world.plot.folder(1)}/VERIFICATION.md")
    page, summary = (
        ("report", "--html", str(tmp_path / "page.html")),
        ("report", "--summary", str(tmp_path / "summary.md")),
    )
    for report in (("status",), ("report",), page, summary, ("evidence", "1")):
        shown = world.autopilot(*report).out
        written = Path(report[2]).read_text() if report[2:] else shown
        assert "may reach any host and every service of this machine" in " ".join(written.split()), report
    kept = [path for path in (*world.state.rglob("*"), *world.project.rglob("*")) if path.is_file()]
    assert not [path for path in kept for value in KEYS.values() if value.encode() in path.read_bytes()]
    assert any(b"test got" in path.read_bytes() for path in kept), "what the check printed is kept, without the value"
    shown = show_the_key(world, environment)
    assert shown.status == 0 and "[redacted:API_KEY]" in shown.out
    assert not [value for value in KEYS.values() if value in shown.out.replace("\n", "") + shown.err]


def show_the_key(world: World, environment: dict[str, str]) -> Ran:
    """In a person's shell, as it is, in colour and wrapped; that it is there is checked inside."""
    command = (
        f'[ "$API_KEY" = {KEYS["API_KEY"]} ] || exit 9; '
        'echo "$API_KEY"; echo "$API_KEY" | fold -w 5; echo "$API_KEY" >&2; '
        'printf "%s\\033[1m%s\\n" "${API_KEY:0:5}" "${API_KEY:5}"; echo "$API_KEY" | base64'
    )
    return Ran(*warm.call(("shell", "1", "--", command), world.project, environment, PATIENCE_S))


TALK = """import socket, sys

with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=20) as client:
    client.sendall(b"hello")
    print("it said", client.recv(5).decode())
"""


def test_a_service_of_this_machine_is_reached_by_the_users_word_alone(tmp_path: Path) -> None:
    """A whole run whose work asks a decoy on this machine, which is seen to be there once it may be reached."""
    with host() as decoy:
        asked = {"verify": {"network": "loopback", "ports": [decoy.port]}}
        world = make_world(tmp_path, Plot(planned=True), config={**few_tries(), **asked})
        plan, folder = 'python3 part-01-01.py "$(cat port)"', world.plot.folder(1)
        world.write("port", f"{decoy.port}\n")
        text = world.read(f"{folder}/PLAN.md").replace('`sh part-01-01.sh` (contains "part 01-01")', f"`{plan}`")
        world.write(f"{folder}/PLAN.md", text.replace("part-01-01.sh", "part-01-01.py"))
        (world.project / folder / "tests" / f"task-{TASK}.sh").unlink()
        world.commit("its work asks a service of this machine")
        world.play(claim(TASK, {"write": "part-01-01.py", "text": TALK}, *commit_all(TASK)))
        refused = world.run()
        assert refused.status == 1
        assert "Connection refused" in refused.out and decoy.received == []
        assert "verify.network" in refused.err, "what the repository asks for beyond the settings is reported"
        world.set_settings(f'[verify]\nnetwork = "loopback"\nports = [{decoy.port}]\n')
        allowed = world.run("--fresh")
        assert allowed.status == 0, allowed.out + allowed.err
        assert b"hello" in decoy.received, "the control"
        assert "**Weaker evidence**" in world.read(f"{folder}/VERIFICATION.md")
