"""Every language pack there is. The first that knows a call reads it, so the weakest come last."""

from __future__ import annotations

from autopilot.testtools.pack import Pack
from autopilot.testtools.packs.bats_pack import Bats
from autopilot.testtools.packs.cargo_pack import CargoTest
from autopilot.testtools.packs.go_pack import GoTest
from autopilot.testtools.packs.jest_pack import Jest
from autopilot.testtools.packs.jvm_pack import Gradle, Maven
from autopilot.testtools.packs.minitest_pack import Minitest
from autopilot.testtools.packs.mocha_pack import Mocha
from autopilot.testtools.packs.named_pack import NamedReport
from autopilot.testtools.packs.node_pack import NodeTest
from autopilot.testtools.packs.phpunit_pack import PhpUnit
from autopilot.testtools.packs.prove_pack import Prove
from autopilot.testtools.packs.pytest_pack import Pytest
from autopilot.testtools.packs.rspec_pack import RSpec
from autopilot.testtools.packs.tape_pack import Tape
from autopilot.testtools.packs.unittest_pack import Unittest
from autopilot.testtools.packs.vitest_pack import Vitest

PACKS: tuple[Pack, ...] = (
    Pytest(),
    Unittest(),
    Jest(),
    Vitest(),
    Mocha(),
    Tape(),
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
