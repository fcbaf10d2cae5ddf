"""``init``: prepares a repository without changing anything the user wrote."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.git.checkout.documents import write_document
from autopilot.api.assembly import Assembly
from autopilot.api.command_trials import Progress, Settled, try_commands
from autopilot.engine.inputs import describe_bump_here, manifests
from autopilot.engine.planning_files import CONFIG, find_choice, read_config, read_outline
from autopilot.model.conditions import Conditions
from autopilot.model.policy import CHECKS, Commands, Timeouts
from autopilot.planning.config.conditions import narrow_conditions
from autopilot.planning.config.config import Config, merge_commands, set_commands, set_packages
from autopilot.planning.detecting.packages import find_packages, first_commands, worth_reading
from autopilot.planning.detecting.way import Candidate
from autopilot.planning.formats.registry import ROADMAPS
from autopilot.planning.roadmap.graph import describe_circle
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout
from autopilot.reports.phases.understood import describe_outline
from autopilot.steps.observing.texts import text_in

PLANNING = ".planning"
SKELETON = Path(__file__).parent / "skeleton" / "ROADMAP.md"


class Prepared(Struct, frozen=True):
    written: tuple[str, ...]
    kept: tuple[str, ...]
    commands: Commands
    to_commit: tuple[str, ...]  # written now or never added; none if git ignores the planning folder
    template: bool = False  # the roadmap is still to be filled in
    tried: Settled | None = None  # None: nothing was tried
    untried_because: str = ""
    bump: str = ""  # what a run would do with the version, unless it is told not to
    forced: bool = False  # git ignores the planning folder although some of it is committed
    understood: tuple[str, ...] = ()  # of planning files that another tool wrote


def prepare_repository(
    assembly: Assembly, progress: Progress, *, tries: bool, confined: bool, conditions: Conditions
) -> Prepared:
    checkout = assembly.ports.checkout
    config = read_config(checkout)
    why_not = _why_untried(assembly.ports, config, confined) if tries else "`--no-try` was given"
    tried = None if why_not else _try(assembly.ports, conditions, config, progress)
    detected = tried.commands if tried else first_commands(manifests(checkout))
    before = (checkout.read(CONFIG) or b"").decode("utf-8", "replace")
    text = set_commands(before, detected, tried.not_working if tried else ())
    # Where the user has written checks of the whole, what they are made of is not known.
    if tried and config.commands_written.isdisjoint(CHECKS):
        text = set_packages(text, tried.packages)
    files = {CONFIG: text or "{}\n"}
    roadmap = next((path for path in ROADMAPS if checkout.read(path) is not None), None)
    understood = _understood(checkout, config, merge_commands(config, detected))
    if roadmap is None and not understood:
        files[ROADMAPS[0]] = SKELETON.read_text(encoding="utf-8")
    written = tuple(path for path, text in files.items() if path != CONFIG or text != before)
    for path in written:
        write_document(checkout.path, path, files[path].encode())
    kept = (*(path for path in files if path not in written), *((roadmap,) if roadmap else ()))
    facts = checkout.facts()
    to_commit = () if facts.planning_ignored else tuple(dict.fromkeys((*written, *checkout.untracked(PLANNING))))
    template = (roadmap is not None or not understood) and checkout.read(
        roadmap or ROADMAPS[0]
    ) == SKELETON.read_bytes()
    return Prepared(
        written,
        kept,
        merge_commands(config, detected),
        to_commit,
        template,
        tried,
        why_not,
        describe_bump_here(checkout) if config.version_bump else "",
        facts.new_planning_ignored,
        understood,
    )


def _understood(checkout: Checkout, config: Config, commands: Commands) -> tuple[str, ...]:
    """What another tool's planning files say; nothing where a roadmap of GSD's counts, or is to be written."""
    has_roadmap = any(checkout.read(path) is not None for path in ROADMAPS)
    choice = find_choice(checkout, roadmap=has_roadmap, wanted=config.planning)
    if choice.format is None:
        return (choice.describe(),) if choice.others and has_roadmap else ()
    outline = read_outline(choice, checkout.read, commands)
    circle = describe_circle(outline.roadmap.phases)
    return (
        *describe_outline(outline, choice.format.title, choice.describe()),
        *([f"  {circle}"] if circle else ()),
    )


def _why_untried(ports: Ports, config: Config, confined: bool) -> str:
    if not confined:
        return "your settings switch the sandbox off, and what a repository names is not run outside of one to try it"
    if not ports.checkout.head():
        return "the repository has no commit yet"
    if set(Commands.__struct_fields__) <= config.commands_written:
        return f"{CONFIG} names every command already"
    probe = ports.sandbox.probe()
    return "" if probe.usable else f"there is no sandbox: {probe.detail}"


def _try(ports: Ports, conditions: Conditions, config: Config, progress: Progress) -> Settled:
    """On the commit that a run would begin with: what lies uncommitted in the checkout is not seen."""
    commit = ports.checkout.head()
    ports.vault.adopt(commit)
    paths = ports.vault.list(commit)
    read = text_in(ports.vault, commit)
    texts = {path: read(path) or "" for path in worth_reading(paths)}
    packages, given = find_packages(dict.fromkeys(paths, "") | texts), narrow_conditions(conditions, config.conditions)
    if "setup" in config.commands_written:  # what checks find installed is what this leaves, whatever else would work
        written = Candidate(config.commands.setup, CONFIG) if config.commands.setup else None
        packages = {folder: tuple(replace(way, setup=written) for way in ways) for folder, ways in packages.items()}
    return try_commands(ports, commit, packages, Timeouts(), given, progress)
