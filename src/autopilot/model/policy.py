"""What this run may do and how strict it is: read once at start, then pinned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from autopilot.model.conditions import Conditions, Environment
from autopilot.model.profile import BALANCED, Tier, tier_of
from autopilot.model.visual.subject import VisualTesting

# An agent, or a chain of them with the preferred one first; each "name" or "name:model".
Choice = str | tuple[str, ...]
MAP_TOKENS = 2_000  # of the repository map in a prompt, unless settings say otherwise
CHECKS = ("compile", "lint", "build", "test")
DEFERRAL_RATE_TARGET = 0.05  # of all phases at most so many are left to a person
# Who does a role where settings name agents one by one and leave this one out.
KIN = {
    **{"questioner": "researcher", "discusser": "researcher", "auditor": "judge"},
    **{"analyst": "planner", "designer": "planner", "implementer": "executor"},
}


class Commands(Struct, frozen=True):
    """Project commands; None means the gate does not apply."""

    setup: str | None = None
    compile: str | None = None
    lint: str | None = None
    build: str | None = None
    test: str | None = None

    def checks(self) -> tuple[tuple[str, str], ...]:
        """The configured checks in the order they are run."""
        pairs = ((name, getattr(self, name)) for name in CHECKS)
        return tuple((name, command) for name, command in pairs if command)


class Timeouts(Struct, frozen=True):
    criterion: float = 60.0
    setup: float = 1800.0
    compile: float = 600.0
    lint: float = 600.0
    build: float = 1800.0
    test: float = 1800.0
    agent: float = 3600.0
    agent_stall: float = 900.0


class Evidence(Struct, frozen=True):
    """Which layers of evidence are asked for. All of them in a new run; a run begun before they were there has none."""

    control: bool = False  # S: a change of tests, their settings or CI that the task does not declare is refused
    tests: bool = False  # R: single tests, from reports: none lost, none skipped, none newly red
    red: bool = False  # E: a red that only says that the criterion itself is broken is none
    sabotage: bool = False  # M: the new tests fail with the implementation reverted
    mutants: bool = False  # M: and with constants in place of it
    canary: bool = False  # R: a test that must fail does fail
    expectations: bool = False  # R: the tests themselves fail when they expect something else
    held_out: bool = False  # H: the spec's own examples, run outside the tests
    look: bool = False  # L: a second look at suspicious code, a flag
    repeats: int = 0  # how often more a suspicious run is looked at
    wiring: bool = False  # S: a task that leaves a new source file to which nothing refers is incomplete

    @classmethod
    def full(cls) -> Evidence:
        return cls(
            control=True,
            tests=True,
            red=True,
            sabotage=True,
            mutants=True,
            canary=True,
            expectations=True,
            held_out=True,
            look=True,
            repeats=4,
            wiring=True,
        )


class Budget(Struct, frozen=True):
    tokens: int = 5_000_000  # cached ones count by their price
    tokens_per_phase: int = 0  # 0: by what the phase is expected to take, see `events/phase_tokens.py`
    usd: float = 20.0
    minutes: float = 1440.0
    minutes_per_phase: float = 120.0

    def limit_phases(self) -> Budget:
        """The same, where the cap of a phase is never higher than that of the run."""
        tokens, minutes = min(self.tokens_per_phase, self.tokens), min(self.minutes_per_phase, self.minutes)
        return replace(self, tokens_per_phase=tokens, minutes_per_phase=minutes)


class Breaker(Struct, frozen=True):
    """When to stop trying (003 §2). The caps on tokens and time are in the budget."""

    no_progress: int = 3  # steps of work in a row that change neither tree, failing set nor score
    same_error: int = 5  # equal errors in a row
    degraded_below: float = 7.0  # a score under this is no basis to build on: re-plan
    debugs_per_phase: int = 3
    replans_per_phase: int = 1
    retries_per_run: int = 10
    cooldown_minutes: float = 5.0


class Assignment(Struct, frozen=True):
    """An agent, and the model it is to use; "" for its own choice."""

    agent: str
    model: str = ""

    @classmethod
    def parse(cls, word: str) -> Assignment:
        agent, _, model = word.partition(":")
        return cls(agent.strip(), model.strip())

    def __str__(self) -> str:
        return f"{self.agent}:{self.model}" if self.model else self.agent


def parse_assignments(choice: Choice) -> tuple[Assignment, ...]:
    return tuple(Assignment.parse(word) for word in ((choice,) if isinstance(choice, str) else choice))


class AgentSettings(Struct, frozen=True):
    """Which agents are asked, with which models, and how long their providers are waited for."""

    agents: Mapping[str, Choice] = {}  # by role; "default" for every role not named
    profiles: Mapping[str, Mapping[str, Choice]] = {}  # the same by model profile: what is said there goes first
    providers: Mapping[str, str] = {}  # by agent: whose limits it shares; its own where none is named
    max_wait_minutes: float = 360.0  # for a provider's limit; a longer one pauses the run
    first_wait_s: float = 30.0  # where a provider does not say how long; doubled each time
    # By agent: what it calls a model of each class, "" for the one it chooses itself. An agent that is not listed
    # chooses itself, as the user's settings say, or uses no model.
    models: Mapping[str, Mapping[str, str]] = {}


class AttemptLimits(Struct, frozen=True):
    """How often what did not go well is tried again, by rule. Steps that lead nowhere are the breaker's."""

    plan_rounds: int = 3
    task_debugs: int = 2
    observations: int = 3  # one, and two more when the first saw nothing
    phases: int = 2  # resume retries a failed phase once
    remediations: int = 2
    handovers: int = 2  # how often one task may go on with a fresh agent after running out of context


class Parallelism(Struct, frozen=True):
    parts: int = 3  # of a split phase, that run at the same time
    phases: int = 1  # that may be at work, each on a branch of its own


class Interface(Struct, frozen=True):
    """What of the project is a user interface, and how it is looked at."""

    source_dir: str = ""
    extensions: tuple[str, ...] = ()
    visual: VisualTesting | None = None


class Policy(Struct, frozen=True):
    pass_threshold: float = 9.0
    commands: Commands = Commands()
    # By folder, "" for the root: the commands of each package of a repository that has several; setup is the whole's.
    packages: Mapping[str, Commands] = {}
    conditions: Conditions = Conditions()
    environment: Environment = Environment()  # the project's own programs, as setup installs them at the run's base
    research: bool = True
    timeouts: Timeouts = Timeouts()
    budget: Budget = Budget()
    # Those of the budget that a command line named, not the settings.
    caps_named: tuple[str, ...] = field(default=(), name="caps_said")
    # Those that the repository's config set, below what settings and call allow; None where a journal does not say.
    caps_of_config: tuple[str, ...] | None = None
    # The options of the call that chose its agents, such as " --script FILE": the next call needs them as well.
    agent_options: str = ""
    assignments: AgentSettings = AgentSettings()
    model_profile: str = BALANCED
    commit_docs: bool = True
    confined: bool = True  # False only by the user's written opt-out; shown in every report
    open_egress: tuple[str, ...] = ()  # agents that may reach any host, by the user's settings
    attempts: AttemptLimits = AttemptLimits()
    parallel: Parallelism = Parallelism()
    breaker: Breaker = Breaker()
    verifier_min_s: float = 0.0  # a verifier that was quicker is refused; the sources' value is 120
    deferral_confidence: float = 6.0  # from this confidence on a verifier's word needs no person
    land_before_person: bool = False  # a criterion that only a person can check does not keep the rest from landing
    # Off by default: a run started before completion existed ends as it would have.
    self_audit: bool = False
    version_bump: bool = False
    evidence: Evidence = Evidence()
    interface: Interface = Interface()
    accept_red: tuple[str, ...] = ()  # what the repository's config accepts as red before the work
    map_tokens: int = 0  # of the repository map in a prompt; off in a run begun before there was a map
    response_language: str = "English"  # of the documents agents write for an issue

    def keep_caps(self, today: Policy) -> Budget:
        """The budget when a run is resumed: a cap once named for it holds until another is named."""
        kept = {name: getattr(self.budget, name) for name in self.caps_named if name not in today.caps_named}
        return replace(today.budget, **kept).limit_phases()

    def chain(self, role: str) -> tuple[Assignment, ...]:
        """Who may do a role, the preferred one first; each with the model that the profile gives it."""
        return tuple(
            self._with_model(member, role) if not member.model else member for member in self._named_chain(role)
        )

    def unknown_models(self, roles: Iterable[str]) -> dict[str, tuple[Tier, ...]]:
        """By agent: the classes of models that its roles want, and that it has no model of."""
        found: dict[str, dict[Tier, None]] = {}
        for role in roles:
            tier = tier_of(self.model_profile, role)
            for member in self._named_chain(role):
                if tier and not member.model and tier not in self.assignments.models.get(member.agent, {tier: ""}):
                    found.setdefault(member.agent, {})[tier] = None
        return {agent: tuple(tiers) for agent, tiers in found.items()}

    def _named_chain(self, role: str) -> tuple[Assignment, ...]:
        table = self._choices
        return parse_assignments(table.get(role) or table.get("default") or table.get(KIN.get(role, "")) or ())

    def _with_model(self, member: Assignment, role: str) -> Assignment:
        tier = tier_of(self.model_profile, role)
        return replace(member, model=self.assignments.models.get(member.agent, {}).get(tier, "") if tier else "")

    @property
    def _choices(self) -> Mapping[str, Choice]:
        return {**self.assignments.agents, **self.assignments.profiles.get(self.model_profile, {})}

    def provider(self, agent: str) -> str:
        return self.assignments.providers.get(agent, agent)

    @property
    def open_agents(self) -> tuple[str, ...]:
        """Agents of this run that may reach any host; shown in every report."""
        return tuple(name for name in self.agent_names if name in self.open_egress)

    @property
    def agent_names(self) -> tuple[str, ...]:
        """Every agent this run may ask, in all its chains."""
        return tuple(sorted({assignment.agent for role in self._choices for assignment in self.chain(role)}))
