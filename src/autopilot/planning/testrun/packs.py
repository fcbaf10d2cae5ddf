"""Every language pack there is. The first that knows a call reads it, so the weakest come last."""

from __future__ import annotations

from autopilot.planning.testrun.bats_pack import Bats
from autopilot.planning.testrun.cargo_pack import CargoTest
from autopilot.planning.testrun.go_pack import GoTest
from autopilot.planning.testrun.jest_pack import Jest
from autopilot.planning.testrun.jvm_pack import Gradle, Maven
from autopilot.planning.testrun.minitest_pack import Minitest
from autopilot.planning.testrun.named_pack import NamedReport
from autopilot.planning.testrun.node_pack import NodeTest
from autopilot.planning.testrun.pack import Pack
from autopilot.planning.testrun.phpunit_pack import PhpUnit
from autopilot.planning.testrun.prove_pack import Prove
from autopilot.planning.testrun.pytest_pack import Pytest
from autopilot.planning.testrun.rspec_pack import RSpec
from autopilot.planning.testrun.unittest_pack import Unittest
from autopilot.planning.testrun.vitest_pack import Vitest

PACKS: tuple[Pack, ...] = (
    Pytest(),
    Unittest(),
    Jest(),
    Vitest(),
    NodeTest(),
    GoTest(),
    CargoTest(),
    Maven(),
    Gradle(),
    RSpec(),
    Minitest(),
    PhpUnit(),
    Bats(),
    Prove(),
    NamedReport(),
)
