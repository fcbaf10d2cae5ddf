"""What the repository says of the conditions of its checks: services as it likes, of all else only less. T1"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.conditions import WIDTH, Conditions, Daemon, Reach
from autopilot.model.errors import UsageError
from autopilot.model.policy import Policy
from autopilot.planning.config.config import narrow, parse_config

# covers: T1, T5.services, T5.reach
PATH = ".planning/config.json"
DATABASE = {"start": "postgres", "ready": "pg_isready", "port": 5432, "ready_s": 12, "env": {"PGHOST": "127.0.0.1"}}
OPEN, LOOPBACK = Conditions(network=Reach.OPEN), Conditions(network=Reach.LOOPBACK, ports=(5432, 6379))
ALLOWED = Conditions(env=("TOKEN", "KEY"), setup_env=("NPM_TOKEN",))


def settled(written: object, allowed: Conditions = Conditions()) -> tuple[Conditions, str]:  # noqa: B008
    """The conditions, and what is complained of."""
    config = parse_config(json.dumps(written), PATH)
    policy, complaints = narrow(Policy(conditions=allowed), config)
    return policy.conditions, "; ".join(complaint.text for complaint in (*config.complaints, *complaints))


def test_a_service_is_taken_as_it_is_described() -> None:
    conditions, complaints = settled({"verify": {"services": {"db": DATABASE}}})
    assert conditions.services == (Daemon("db", "postgres", "pg_isready", 5432, 12.0, {"PGHOST": "127.0.0.1"}),)
    assert complaints == ""


def test_services_keep_their_order() -> None:
    written = {"verify": {"services": {"queue": DATABASE, "db": DATABASE}}}
    assert [daemon.name for daemon in settled(written)[0].services] == ["queue", "db"]


@pytest.mark.parametrize(
    ("described", "kept", "words"),
    [
        ({"ready": "true"}, False, "verify.services.db has no `start`"),
        ({"start": "postgres"}, False, "has neither `ready`, a command that succeeds when it is ready, nor `port`"),
        ({"start": "postgres", "port": 70000}, False, "has the port 70000"),
        ({**DATABASE, "port": 5432.7}, False, "has the port 5432.7, which is not a whole number"),
        ({**DATABASE, "port": 5432.0}, True, ""),
        ("postgres", False, "verify.services.db is not an object"),
        ({**DATABASE, "port": "5432"}, True, "verify.services.db.port is not a number"),
        ({**DATABASE, "ready_s": 9000}, True, "verify.services.db.ready_s is 9000, above 300: 300 is used"),
        ({**DATABASE, "image": "postgres:16"}, True, "verify.services.db.image is unknown (known: start, ready, "),
        ({**DATABASE, "env": {"PATH": "/evil"}}, True, "env.PATH is a variable that no service may set"),
        ({**DATABASE, "env": {"LD_PRELOAD": "x.so"}}, True, "env.LD_PRELOAD is a variable that no service may set"),
        ({**DATABASE, "env": {"N": 1}}, True, "env.N is not a string"),
        ({**DATABASE, "start": "postgres\0"}, False, "verify.services.db has a command with a NUL"),
        ({**DATABASE, "ready": "true\0"}, False, "verify.services.db has a command with a NUL"),
        ({**DATABASE, "start": "x" * 100_000}, False, "verify.services is longer than 100,000 bytes"),
        ({**DATABASE, "start": "x" * 90_000}, True, ""),
        ({**DATABASE, "env": {"A\nB": "c"}}, True, "verify.services.db.env.A B is a variable that no service may set"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_place(described: object, kept: bool, words: str) -> None:
    conditions, complaints = settled({"verify": {"services": {"db": described}}})
    assert (bool(conditions.services), words in complaints) == (kept, True), complaints
    assert all(daemon.ready_s <= 300 and not daemon.env.get("PATH") for daemon in conditions.services)


def test_a_long_list_of_what_is_not_given_takes_a_few_lines_of_a_report() -> None:
    asked = {"network": "open", "env": [f"N{number}" for number in range(3000)], "ports": list(range(1024, 9000))}
    conditions, complaints = settled({"verify": asked, "setup": {"env": ["A", "B"]}})
    assert conditions == Conditions()
    assert "verify.env names `N0`, `N1`, `N2`, `N3`, `N4` and 2,995 more, which" in complaints
    assert "verify.ports names 1024, 1025, 1026, 1027, 1028 and 7,971 more, which" in complaints
    assert "setup.env names `A`, `B`, which the [setup] env of your settings does not: they are not given" in complaints
    assert len(complaints) < 1000


@pytest.mark.parametrize("place", ['{"verify": {"services": {"db": {"start": "%s"}}}}', '{"%s": 1}'])
def test_half_a_character_is_refused_and_a_whole_one_is_not(place: str) -> None:
    with pytest.raises(UsageError, match="contains a lone surrogate escape"):
        parse_config(place % r"echo \ud83d", PATH)
    parse_config(place % r"echo \ud83d\ude00", PATH)


def test_only_so_many_services_are_taken() -> None:
    conditions, complaints = settled({"verify": {"services": {f"s{number}": DATABASE for number in range(9)}}})
    assert len(conditions.services) == 8 and "verify.services.s8 is more than the 8 services" in complaints


@pytest.mark.parametrize(
    ("allowed", "written", "network", "ports", "words"),
    [
        (Conditions(), {}, Reach.NONE, (), ""),
        (Conditions(), {"network": "open"}, Reach.NONE, (), "verify.network is `open`, more than the `none`"),
        (Conditions(), {"network": "loopback", "ports": [5432]}, Reach.NONE, (), "verify.ports names 5432"),
        (Conditions(), {"ports": [5432]}, Reach.NONE, (), "verify.ports names 5432"),
        (LOOPBACK, {}, Reach.LOOPBACK, (5432, 6379), ""),
        (LOOPBACK, {"network": "open"}, Reach.LOOPBACK, (5432, 6379), "more than the `loopback`"),
        (LOOPBACK, {"network": "none"}, Reach.NONE, (), ""),
        (LOOPBACK, {"ports": [6379]}, Reach.LOOPBACK, (6379,), ""),
        (LOOPBACK, {"ports": [6379, 22]}, Reach.LOOPBACK, (6379,), "verify.ports names 22, which the [verify] ports"),
        (LOOPBACK, {"ports": []}, Reach.NONE, (), ""),
        (LOOPBACK, {"ports": "all"}, Reach.LOOPBACK, (5432, 6379), "verify.ports is not a list of ports"),
        (OPEN, {}, Reach.OPEN, (), ""),
        (OPEN, {"network": "none"}, Reach.NONE, (), ""),
        (OPEN, {"ports": [8080]}, Reach.LOOPBACK, (8080,), ""),
        (OPEN, {"network": "everything"}, Reach.OPEN, (), "verify.network is `everything`, not one of none, loopback"),
    ],
)
def test_the_network_can_only_become_less(
    allowed: Conditions, written: object, network: Reach, ports: tuple[int, ...], words: str
) -> None:
    conditions, complaints = settled({"verify": written}, allowed)
    assert (conditions.network, conditions.ports) == (network, ports)
    assert (words in complaints) if words else complaints == ""


@pytest.mark.parametrize(
    ("written", "env", "setup_env", "words"),
    [
        ({}, ("TOKEN", "KEY"), ("NPM_TOKEN",), ""),
        ({"verify": {"env": ["KEY"]}}, ("KEY",), ("NPM_TOKEN",), ""),
        ({"verify": {"env": []}, "setup": {"env": []}}, (), (), ""),
        ({"setup": {"env": ["AWS_KEY"]}}, ("TOKEN", "KEY"), (), "setup.env names `AWS_KEY`, which the [setup] env"),
        (
            {"verify": {"env": ["NPM_TOKEN"]}},
            (),
            ("NPM_TOKEN",),
            "verify.env names `NPM_TOKEN`, which the [verify] env",
        ),
    ],
)
def test_a_variable_is_given_where_the_users_settings_name_it(
    written: object, env: tuple[str, ...], setup_env: tuple[str, ...], words: str
) -> None:
    conditions, complaints = settled(written, ALLOWED)
    assert (conditions.env, conditions.setup_env) == (env, setup_env)
    assert (words in complaints) if words else complaints == ""


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["network", "ports", "env", "services"])


@given(
    verify=st.dictionaries(keys, json_values | st.sampled_from(list(Reach)) | st.lists(st.integers(1, 65535))),
    setup=st.dictionaries(keys, json_values),
    allowed=st.sampled_from([Conditions(), LOOPBACK, OPEN, ALLOWED]),
)
def test_whatever_the_file_says_it_widens_nothing(verify: object, setup: object, allowed: Conditions) -> None:
    given = settled({"verify": verify, "setup": setup}, allowed)[0]
    assert WIDTH[given.network] <= WIDTH[allowed.network]
    assert allowed.network is Reach.OPEN or set(given.ports) <= set(allowed.ports)
    assert set(given.env) <= set(allowed.env) and set(given.setup_env) <= set(allowed.setup_env)
