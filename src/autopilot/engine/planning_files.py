"""Planning files of other tools in the checkout: which format counts, and what it says."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.engine.other_runs import recall
from autopilot.engine.past import NO_PAST, Past
from autopilot.engine.written_plans import read_text
from autopilot.model.errors import UsageError
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.outline import Listed, Outline
from autopilot.model.planning.roadmap import PhaseId, Roadmap
from autopilot.model.policy import Commands, Policy
from autopilot.model.run import PlanningFiles
from autopilot.planning.config.config import Config, parse_config
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.reading import MOST_FILES, read_texts, readable
from autopilot.planning.formats.registry import FORMATS, ROADMAPS, Choice, choose_format, find_formats, format_named
from autopilot.planning.plan.folders import PHASES
from autopilot.planning.roadmap.roadmap import read_roadmap
from autopilot.planning.roadmap.standing.disk import MILESTONES
from autopilot.planning.roadmap.standing.holding import hold_dependents
from autopilot.planning.roadmap.standing.position import STATE, parse_position
from autopilot.planning.roadmap.standing.standing import Surroundings
from autopilot.ports.git import Checkout
from autopilot.text.json_span import line_of

CONFIG = ".planning/config.json"


class Planned(Struct, frozen=True):
    """What the repository's planning files say, and whose format they have."""

    outline: Outline
    files: PlanningFiles = PlanningFiles()
    choice: str = ""  # why this format, where several are here


def find_roadmap(checkout: Checkout, policy: Policy, past: Past = NO_PAST) -> Roadmap:
    """The phases, whichever tool wrote the files that they stand in."""
    return find_planned(checkout, policy, past, wanted_format(checkout)).outline.roadmap


def find_planned(checkout: Checkout, policy: Policy, past: Past = NO_PAST, wanted: str = "") -> Planned:
    """``wanted``: the format that the config names."""
    path = next((path for path in ROADMAPS if checkout.read(path) is not None), None)
    choice = find_choice(checkout, roadmap=path is not None, wanted=wanted)
    if choice.format is not None:
        outline = read_outline(choice, checkout.read, policy.commands)
        _must_hold_phases(outline)
        return Planned(outline, PlanningFiles(choice.format.name, choice.paths), choice.describe())
    try:
        return Planned(Outline(_find_gsd(path, checkout, policy, past)), choice=choice.describe())
    except UsageError as error:
        if not choice.others:
            raise
        other = f'; or run what {choice.others[0]} has here: "planning": "{choice.others[0]}" below "autopilot"'
        raise UsageError(str(error), f"{error.hint}{other} in {CONFIG}") from error


def _must_hold_phases(outline: Outline) -> None:
    """A plan that could not be read is not at its end: a run of it must not say that nothing is open."""
    warnings = (found for found in outline.roadmap.complaints if found.severity is Severity.WARNING)
    if not outline.roadmap.phases and (reason := next(warnings, None)):
        raise UsageError(f"no phase can be read: {reason}", "correct it, then call `autopilot run` again")


def wanted_format(checkout: Checkout) -> str:
    """A config that cannot be read stops a run, and says so there; phases can be shown without it."""
    try:
        return read_config(checkout).planning
    except UsageError:
        return ""


def _find_gsd(path: str | None, checkout: Checkout, policy: Policy, past: Past) -> Roadmap:
    """The roadmap with how its phases stand, by STATE.md and the phases' folders as they are at the same time."""
    if path is None:
        if folder := next((path for path in ROADMAPS if (checkout.path / path).is_dir()), None):
            raise UsageError(
                f"{folder} is a folder, not a file", "remove or rename it; `autopilot init` writes a template"
            )
        hint = "`autopilot init` writes a template"
        raise UsageError("there is no roadmap: neither .planning/ROADMAP.md nor ROADMAP.md", hint)
    around = Surroundings(
        parse_position(read_text(checkout, STATE)),
        (*checkout.list(PHASES), *checkout.list(MILESTONES)),
        lambda path: read_text(checkout, path),
        past.taken_from,
        recall([phase for run in past.other_runs for phase in run.phases], past.find_others(checkout)),
    )
    _must_be_text(checkout.read(path) or b"", path)
    return read_roadmap(read_text(checkout, path), path, policy.commands, around)


def _must_be_text(content: bytes, path: str) -> None:
    """Single letters in another encoding are read as such; of UTF-16 or a binary file nothing could be."""
    if b"\0" in content or content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        every_other = max(content[::2].count(0), content[1::2].count(0)) > len(content) // 4
        guess = "UTF-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or every_other else "a binary file"
        raise UsageError(f"{path} is not UTF-8 text (it looks like {guess})", "save it as UTF-8")


def read_config(checkout: Checkout) -> Config:
    content = checkout.read(CONFIG)
    if content is None and (checkout.path / CONFIG).is_dir():
        return Config(complaints=(Complaint(CONFIG, 0, "is a folder, not a file: ignored"),))
    if not content:
        return Config()
    text = content.decode("utf-8", "replace")
    config = parse_config(text, CONFIG)
    return replace(config, complaints=(*config.complaints, *_missing_specs(config, text, checkout)))


def _missing_specs(config: Config, text: str, checkout: Checkout) -> Iterator[Complaint]:
    """The specs that config names before the first one that is there: another one is pinned instead of them."""
    for path in takewhile(lambda path: checkout.read(path) is None, config.spec_paths):
        message = f"project.spec_paths names `{path}`, which does not exist: ignored"
        yield Complaint(CONFIG, line_of(text, ("project", "spec_paths")), message)


def find_choice(checkout: Checkout, *, roadmap: bool, wanted: str) -> Choice:
    """Which format the repository is planned with, by place alone; but a list without boxes is no plan."""
    refused: list[UsageError] = []
    listed = {format.name: list_places(format, checkout, refused) for format in FORMATS}
    choice = choose_format(find_formats(listed), roadmap=roadmap, wanted=wanted)
    if refused and choice.format is None and not roadmap:
        raise refused[0]
    if choice.format is not None and choice.format.last_resort and not wanted:
        outline = read_outline(choice, checkout.read, Commands())
        return choice if outline.roadmap.phases else Choice(None)
    return choice


def list_places(format: Format, checkout: Checkout, refused: list[UsageError]) -> tuple[str, ...]:
    """``refused`` takes what cannot be looked at: a link that leads out, a file of many megabytes. A project that is
    planned otherwise may have a folder or file of that name for anything."""
    found: list[str] = []
    for place in format.places:
        try:
            files = checkout.list(place)
            # A place may be a file; one in the root is looked for by its name alone.
            found += files or ([place] if PurePosixPath(place).suffix and checkout.read(place) is not None else [])
            refused += [_not_named_in_utf8(path) for path in files if not _is_utf8(path)]
        except UsageError as error:
            refused.append(error)
    return tuple(path for path in found if _is_utf8(path))


def _is_utf8(path: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in path)


def _not_named_in_utf8(path: str) -> UsageError:
    shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return UsageError(f"{shown} has a name that is not UTF-8, and is not read", "rename it")


def read_listed(files: PlanningFiles, checkout: Checkout, commands: Commands) -> Mapping[PhaseId, Listed]:
    """The tasks that the files of a run's format list now; nothing of a roadmap of GSD's."""
    choice = Choice(format_named(files.format), files.paths)
    return read_outline(choice, checkout.read, commands).listed if choice.format else {}


def read_outline(choice: Choice, read: Callable[[str], bytes | None], commands: Commands) -> Outline:
    """What the files of a format say; ``read`` gives them as they lie in the checkout, or at a commit."""
    assert choice.format is not None, "GSD's roadmap has readers of its own"
    texts, too_large = read_texts(choice.paths, read)
    outline = choice.format.read(readable(texts), commands)
    more = [Complaint(path, 0, "is too large to be read as a plan: left out") for path in too_large]
    if len(choice.paths) > MOST_FILES:
        more.append(Complaint(outline.roadmap.path, 0, f"over {MOST_FILES} planning files: the rest is left out"))
    roadmap = outline.roadmap
    phases = hold_dependents(roadmap.phases)
    complaints = (*roadmap.complaints, *more)
    return replace(outline, roadmap=replace(roadmap, phases=phases, complaints=complaints))
