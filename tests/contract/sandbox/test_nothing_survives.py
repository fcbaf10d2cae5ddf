"""After ``wait`` nothing of a command's tree is alive, no zombie is left and no descriptor is open (T6, R-PROC).

``AUTOPILOT_NASTY`` sets how many nasty commands are run; the seed is printed.
"""

from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.sandbox import CommandSpec, Exited, Outcome, Profile, TimedOut, run

# covers: T5.agents, T6.end

# covers: T6, R-PROC
pytestmark = pytest.mark.usefixtures("no_leaks")

LEFT_BEHIND = {
    "in the background": "sleep MARK & exit 0",
    "without a terminal": "nohup sleep MARK >/dev/null 2>&1 & exit 0",
    "in its own session": "setsid sleep MARK & exit 0",
    "forked twice": "setsid sh -c 'setsid sleep MARK & exit 0' & sleep 0.1; exit 0",
    "without environment": "env -i setsid /bin/sh -c '/bin/sleep MARK & exit 0'; exit 0",
    "deaf to signals": "(trap '' TERM HUP INT; exec setsid sleep MARK) & exit 0",
    "holding the pipe": "(sleep MARK; echo late) & exit 0",
    "stopped": "sleep MARK & kill -STOP $!; exit 0",
    "many": "for i in 1 2 3 4 5 6 7 8 9 10; do setsid sleep MARK & done; exit 0",
}
HANGING = {
    "asleep": "sleep MARK",
    "deaf": "trap '' TERM; sleep MARK; sleep MARK",
    "breeding": "f() { sleep MARK & sleep 0.02; f; }; f",
    "flooding": "yes MARK",
    "deaf in another session": "setsid sh -c \"trap '' TERM; sleep MARK\" & wait",
    "a pipe": "sleep MARK | cat | cat",
}


@pytest.mark.parametrize("way", LEFT_BEHIND)
def test_what_a_command_leaves_behind_ends_with_it(sandbox, place, alive, way) -> None:
    outcome = run(sandbox, place.sh(LEFT_BEHIND[way].replace("MARK", "31.4159001")))
    assert outcome.ended == Exited(0)
    assert alive("31.4159001") == []


@pytest.mark.parametrize("way", HANGING)
def test_a_hanging_command_ends_with_its_whole_tree(sandbox, place, alive, way) -> None:
    outcome = run(sandbox, place.sh(HANGING[way].replace("MARK", "31.4159002"), timeout_s=0.4))
    assert outcome.ended == TimedOut(0.4)
    assert alive("31.4159002") == []


def test_an_agent_and_its_tools_in_their_own_sessions_end_together(sandbox, place, alive) -> None:
    script = "setsid sh -c 'sleep 31.4159003 & setsid sleep 31.4159003' & sleep 60"
    outcome = run(sandbox, place.sh(script, profile=Profile.AGENT, network=True, timeout_s=0.5))
    assert outcome.ended == TimedOut(0.5)
    assert alive("31.4159003") == []


def test_a_mix_of_nasty_commands_leaves_nothing_at_all(place, alive) -> None:
    count = int(os.environ.get("AUTOPILOT_NASTY", "200"))
    seed = os.environ["AUTOPILOT_SEED"]
    print(f"seed {seed}")
    chance = random.Random(seed)
    sandboxes = (Bubblewrap(place.state), Unconfined(place.state))
    chosen = [(chance.choice(sandboxes), _nasty(chance, place)) for _ in range(count)]
    with ThreadPoolExecutor(8) as crowd:
        outcomes = list(crowd.map(lambda pair: run(*pair), chosen))
    assert [outcome.ended for outcome in outcomes if not _as_expected(outcome)] == []
    assert alive("31.4159004") == []
    assert list((place.state / "processes").iterdir()) == []
    assert list((place.state / "copies").iterdir()) == []


def _nasty(chance: random.Random, place) -> CommandSpec:
    script = chance.choice([*LEFT_BEHIND.values(), *HANGING.values(), "kill -9 $$", "exit 9", "exec no-such-command"])
    return place.sh(script.replace("MARK", "31.4159004"), timeout_s=chance.choice([0.3, 0.6]))


def _as_expected(outcome: Outcome) -> bool:
    # On a busy machine even a short command may run into the smallest limit.
    return isinstance(outcome.ended, TimedOut) or outcome.ended in (Exited(0), Exited(9), Exited(127), Exited(137))
