"""The rooms of a run's state: what belongs together, and is forgotten together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from autopilot.events.people import PhasePassedOver
from autopilot.events.pieces import EPOCH, Limit, Outage, Wait
from autopilot.events.talk import Discussion, HumanGate, IdeaDeferred, Mapped
from autopilot.model.agent import Usage
from autopilot.model.evidence.observation import Observation
from autopilot.model.intent import ContextAnswer, Intent
from autopilot.model.planning.other_run import OtherRun
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Cap, PhaseBrief, PlanningFiles, SpecLock, StopKind


class RunInputs(Struct, frozen=True):
    """What the run was started with."""

    version: str = ""
    roadmap: str = ""
    spec: SpecLock = SpecLock("", "")
    spec_changed_to: str = ""  # the fingerprint of the spec that a resume found
    agents: tuple[str, ...] = ()
    model: str = ""
    outline: tuple[PhaseBrief, ...] = ()
    proven: tuple[PhaseId, ...] = ()
    ticked: tuple[PhaseId, ...] = ()
    passed_over: tuple[PhasePassedOver, ...] = ()  # completed by earlier runs
    intent: Intent = Intent()
    command: str = ""  # the command that started it
    context: Mapping[PhaseId, tuple[ContextAnswer, ...]] = {}  # what the user answered in earlier runs
    calibration: tuple[str, ...] = ()  # what people's verdicts taught in earlier runs
    baseline: tuple[Observation, ...] = ()  # the configured checks where the run began
    other_runs: tuple[OtherRun, ...] = ()  # of another program, that this run found first
    criteria: Mapping[PhaseId, tuple[Observation, ...]] = {}  # by phase: the roadmap's criteria where the run began
    planning: PlanningFiles = PlanningFiles()  # of another tool

    @property
    def papers(self) -> frozenset[str]:
        """The documents that the work is judged by."""
        return frozenset((self.roadmap, self.spec.path, *self.spec.also, *self.planning.paths))


class RunLine(Struct, frozen=True):
    """The commits of the run, and where they land."""

    branch: str = ""
    head: str = ""  # what the user's branch was, or is after the last landing
    base: str = ""  # where the run began in the vault, with its inputs as they were
    tip: str = ""  # the run's last commit in the vault
    public_tip: str = ""  # what may land of it: the same, unless the planning folder is kept out of commits


class Session(Struct, frozen=True):
    """From a start or a resume until the run stops or is killed, and how it stopped."""

    since: datetime = EPOCH
    landing_tried: bool = False
    waited_s: float = 0.0  # for providers' limits
    cancelled_by: str = ""
    pause_wanted_by: str = ""  # steps in progress end first
    stop_reason: str = ""
    stop_kind: StopKind | None = None
    cap: Cap | None = None  # which one, where a cap stopped it
    exit_status: int | None = None  # set while the run is stopped


class Availability(Struct, frozen=True):
    """Which agents are available now: a user who resumes a stopped run may have changed all of it."""

    out: Mapping[str, Outage] = {}  # agents that are unavailable until the user acts, and why
    serving: Mapping[str, str] = {}  # role -> the agent that does it now, where that is not the preferred one
    wait: Wait | None = None


class Provision(Struct, frozen=True):
    """What the run knows about providers, and how often it waited or changed agents for them."""

    limits: Mapping[str, Limit] = {}  # by provider: one for all phases
    switches: int = 0
    waits: int = 0


class People(Struct, frozen=True):
    """What people were asked, and what they answered."""

    gates: Mapping[str, HumanGate] = {}
    mapping: Mapping[PhaseId, Mapped] = {}
    mapping_begun: bool = False
    mapped: bool = False  # every phase was scored again with the answers
    discussions: Mapping[PhaseId, Discussion] = {}
    ideas: tuple[IdeaDeferred, ...] = ()  # for other phases, in the order they came up


class RunTotals(Struct, frozen=True):
    """What is counted and collected over all sessions."""

    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    resumes: int = 0
    rested_at: datetime | None = None  # the last time it stopped
    rested_s: float = 0.0  # between its stops and its resumes
