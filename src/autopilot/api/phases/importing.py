"""``import``: files of GSD's made of another tool's planning files, or of the issues of a forge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from autopilot.api.assembly import Assembly
from autopilot.api.phases.writing import Outcome, Prepared, Request, write_edit
from autopilot.engine.history import read_history
from autopilot.engine.inputs import refuse_repository, settle_policy
from autopilot.engine.planning_files import CONFIG, find_choice, read_config, read_outline
from autopilot.model.errors import UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.policy import Commands, Policy
from autopilot.planning.formats.registry import FORMATS, GSD, ROADMAPS
from autopilot.planning.importing.importing import import_outline
from autopilot.planning.importing.issues import ISSUES, read_issues
from autopilot.planning.plan.folders import PHASES
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout

FORGE = "github"
SOURCES = (*(format.name for format in FORMATS), FORGE)


class Wanted(Struct, frozen=True):
    source: str = ""  # "": the format that the repository is planned with
    milestone: str = ""  # of the forge


def import_plan(assembly: Assembly, request: Request, wanted: Wanted) -> Outcome:
    ports = assembly.ports

    def prepare(commits: bool) -> Prepared:
        _must_be_free(ports.checkout, ROADMAPS)
        facts = ports.checkout.facts()
        if commits:
            refuse_repository(facts)
            ports.vault.adopt(facts.head)
        edit = _edit_of(wanted, ports)
        _must_be_free(ports.checkout, edit.files)
        return Prepared(edit, facts.head if commits else "", ports.checkout.read)

    return write_edit(assembly, request, prepare)


def _edit_of(wanted: Wanted, ports: Ports) -> Edit:
    config = read_config(ports.checkout)
    if wanted.source == FORGE:
        found = read_issues(ports.forge.planned(wanted.milestone), _commands(ports.checkout))
        title = f"{ISSUES} ({wanted.milestone})" if wanted.milestone else ISSUES
        edit = import_outline(found.outline, title, _commands(ports.checkout), ports.checkout.list(PHASES), found.texts)
        return replace(edit, notes=(*edit.notes, *_about_config(config.planning)))
    if wanted.milestone:
        raise UsageError("only issues of a forge have a milestone", f"--from {FORGE} --milestone NAME")
    # A configured format that is named nowhere else would go on to count after the import.
    named = wanted.source or ("" if config.planning == GSD else config.planning)
    choice = find_choice(ports.checkout, roadmap=False, wanted=named)
    if choice.format is None:
        hint = f"known: {', '.join(SOURCES)}; `autopilot init` writes a template of a roadmap"
        raise UsageError("no planning files of another tool were found here", hint)
    outline = read_outline(choice, ports.checkout.read, _commands(ports.checkout))
    edit = import_outline(outline, choice.format.title, _commands(ports.checkout), ports.checkout.list(PHASES))
    more = _about_others(choice.others) if not wanted.source else ()
    dirty = set(choice.paths) & set(ports.checkout.dirty())
    return replace(
        edit,
        notes=(*edit.notes, *more, *_about_dirty(dirty), *_about_config(config.planning), *_about_unfinished(ports)),
    )


def _commands(checkout: Checkout) -> Commands:
    """As a run would have them: sentences such as "All tests pass" mean one of them."""
    return settle_policy(Policy(), read_config(checkout), checkout.facts(), checkout)[0].commands


def _must_be_free(checkout: Checkout, paths: Iterable[str]) -> None:
    for path in paths:
        if checkout.read(path) is not None or (checkout.path / path).is_dir():
            hint = "move it away, or commit and `git rm` it; single phases are added by `autopilot phase add`"
            raise UsageError(f"{path} is there already, and an import writes over nothing", hint)


def _about_unfinished(ports: Ports) -> Iterator[str]:
    """What a run has pinned stays its plan until it is over."""
    unfinished = read_history(ports.journal.read()).unfinished
    if unfinished is not None:
        yield f"{unfinished.run} is unfinished: it goes on with the plan that it began with"


def _about_others(others: Iterable[str]) -> Iterator[str]:
    if names := [name for name in others if name != GSD]:
        yield f"{', '.join(names)}: planning files of these lie here as well and were not imported (--from NAME)"


def _about_dirty(paths: Iterable[str]) -> Iterator[str]:
    yield from (f"{path} has changes that are not committed: imported as it lies there" for path in sorted(paths))


def _about_config(planning: str) -> Iterator[str]:
    if planning and planning != GSD:
        yield f'{CONFIG} still says "planning": "{planning}", so runs go on reading that: take the line out'
