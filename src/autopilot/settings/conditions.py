"""The tables of settings.toml about checks and setups: what they may reach, and which variables they are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from autopilot.adapters.caches import FOLDERS, find_caches
from autopilot.adapters.sandbox.user import kernel_uid
from autopilot.model.conditions import Conditions, Reach
from autopilot.model.egress import FIRST_LOCAL_PORT
from autopilot.model.secrecy.secrets import MIN_LENGTH
from autopilot.planning.config.conditions import is_variable


class VerifyTable(Struct, frozen=True):
    network: Reach = Reach.NONE
    ports: tuple[int, ...] = ()
    env: tuple[str, ...] = ()


class SetupTable(Struct, frozen=True):
    env: tuple[str, ...] = ()
    caches: tuple[str, ...] = ()  # of package managers, by their names


def make_conditions(verify: VerifyTable, setup: SetupTable) -> Conditions:
    ports = verify.ports if verify.network is Reach.LOOPBACK else ()
    return Conditions((), verify.network, ports, verify.env, setup.env)


def condition_faults(verify: VerifyTable, setup: SetupTable) -> Iterator[tuple[str, str]]:
    """What cannot be meant, each with its remedy."""
    for port in verify.ports:
        if not FIRST_LOCAL_PORT <= port < 65536:
            wrong = f"[verify] ports names {port}, which no check could reach"
            yield wrong, f"write ports from {FIRST_LOCAL_PORT} to 65535: in a sandbox no lower one can be listened on"
    if verify.network is Reach.LOOPBACK and not verify.ports:
        yield '[verify] network is "loopback", and no port is named', "write them: ports = [5432]"
    if verify.ports and verify.network is not Reach.LOOPBACK:
        wrong = f'[verify] ports are named, and network is "{verify.network}"'
        yield wrong, 'write network = "loopback" beside them, or remove them'
    for name in setup.caches:
        if name not in FOLDERS:
            yield f"[setup] caches names {name[:100]!r}, which is not known", f"write some of {', '.join(FOLDERS)}"
    for table, names in (("verify", verify.env), ("setup", setup.env)):
        for name in names:
            if not is_variable(name):
                wrong = f"[{table}] env names {name[:100]!r}, which cannot be given to a command"
                yield wrong, "write names of variables; PATH, HOME and LD_ variables are the sandbox's own"


def doubt_caches(names: tuple[str, ...], environment: Mapping[str, str]) -> Iterator[str]:
    is_owner = kernel_uid() is None
    found = {cache.name for cache in find_caches(names, environment, is_owner=is_owner)}
    for name in (name for name in names if name not in found):
        why = "of which there is none here" if is_owner else "which there is not, or which root cannot share"
        yield f"[setup] caches names {name}, {why}"


def doubt_grants(conditions: Conditions, environment: Mapping[str, str]) -> Iterator[str]:
    for table, names in (("verify", conditions.env), ("setup", conditions.setup_env)):
        for name in names:
            value = environment.get(name, "")
            if not value:
                yield f"[{table}] env names {name}, which is not set in your environment"
            elif len(value) < MIN_LENGTH:
                yield f"[{table}] env names {name}, whose value is too short to be removed from what is stored"
