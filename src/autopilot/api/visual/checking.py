"""Visual checks outside of a run: of a commit or a phase, against the baseline that a person accepted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.files import make_folders, translated, write_atomically
from autopilot.adapters.git.checkout.documents import read_document, write_document
from autopilot.adapters.git.command import Git
from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.redaction import make_redactor
from autopilot.api.assembly import Assembly, Repository, assemble
from autopilot.api.evidence.phase_evidence import find_phase, last_run_with, read_runs
from autopilot.api.repomap import git_of
from autopilot.engine.inputs import settle_policy
from autopilot.engine.planning_files import CONFIG, read_config
from autopilot.inspection.visual.baseline import PATH, Pins, parse_pins, render_pins
from autopilot.model.errors import Interrupted, Unavailable, UsageError
from autopilot.model.policy import Policy
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.subject import VisualTesting
from autopilot.ports.eyes import Eyes
from autopilot.ports.layers import SetupRun
from autopilot.ports.sandbox import CommandSpec, Killed, Outcome, Profile, describe_ended
from autopilot.reports.evidence.explanation import shown_commit
from autopilot.settings.reading import Settings
from autopilot.steps.observing.surroundings import under
from autopilot.steps.visual.comparing import compare_with, list_lost, pin
from autopilot.steps.visual.looking import look_at

SHOWN = ".autopilot/visual"
_LABEL = "visual/check"
EXAMPLE = (
    'write for example {"project": {"visual_testing": {"launch_command": "npm start", "base_url": '
    f'"http://localhost:3000", "routes": [{{"path": "/", "name": "home"}}]}}}}}} into {CONFIG}'
)
Progress = Callable[[str], None]


class Studio(Struct, frozen=True):
    """What a visual check of this repository needs."""

    assembly: Assembly
    policy: Policy
    subject: VisualTesting
    eyes: Eyes

    git: Git
    complaints: tuple[str, ...] = ()  # about what the configuration says of it

    @property
    def repository(self) -> Repository:
        return self.assembly.repository


def open_studio(repository: Repository, settings: Settings) -> Studio:
    assembly = assemble(repository, settings)
    assembly.interruption.install()
    checkout = assembly.ports.checkout
    config = read_config(checkout)
    complaints = [str(complaint) for complaint in config.complaints]
    if config.visual is None:
        raise UsageError(f"{CONFIG} has no project.visual_testing that can be used", EXAMPLE, complaints)
    policy, _ = settle_policy(settings.policy(), config, checkout.facts(), checkout)
    eyes = assembly.ports.eyes
    assert eyes is not None, "an assembly has eyes"
    return Studio(assembly, policy, config.visual, eyes, git_of(repository, settings), tuple(complaints))


def open_pictures(repository: Repository) -> FileBlobs:
    return FileBlobs(repository.home.visual, make_redactor({}))


def find_commit(studio: Studio, phase: str, commit: str) -> str:
    """The commit that is to be looked at: named, what was judged last of a phase, or HEAD."""
    ports = studio.assembly.ports
    if phase:
        runs = read_runs(studio.repository)
        state = last_run_with(runs, phase) or next(reversed(runs.values()))
        found = shown_commit(find_phase(state, phase))
        if not found:
            raise UsageError(f"phase {phase} has no commit to look at", f"`autopilot run {phase}` starts it")
        return found
    found = _resolve(studio, commit) if commit else ports.checkout.head()
    if not found:
        raise UsageError(
            f"{commit} is not a commit of this repository" if commit else "there is no commit yet", "name or make one"
        )
    ports.vault.adopt(found)
    return found


def _resolve(studio: Studio, name: str) -> str:
    """ "" where it names no commit."""
    if name.startswith("-"):
        return ""
    return studio.git.ask("rev-parse", "--verify", "-q", f"{name}^{{commit}}").output.decode().strip()


def check_commit(studio: Studio, commit: str, progress: Progress) -> VisualCheck:
    """Looked at, compared, and remembered for `accept` and `show`; Unavailable where nothing could be seen."""
    progress(f"looking at {len(studio.subject.shots())} shots of {commit[:12]}")
    looked = _look(studio, commit)
    pins = read_pins(studio.repository)
    pins = _restore(studio, pins, progress)
    check = compare_with(studio.eyes.pictures, looked, pins, studio.subject)
    _remember(studio.repository, check)
    _show(studio, check)
    return check


def _look(studio: Studio, commit: str) -> VisualCheck:
    spec = _spell(studio, commit)
    looked = look_at(studio.eyes, spec, studio.subject, commit)
    if looked.problem:
        clean = studio.assembly.ports.blobs.clean
        raise Unavailable(
            f"nothing could be looked at: {clean(looked.problem)}", "`autopilot doctor` says what is missing"
        )
    return looked


def _spell(studio: Studio, commit: str) -> CommandSpec:
    """The place of every check: a throw-away copy of the commit, over what setup installed."""
    ports, policy = studio.assembly.ports, studio.policy
    project, backing = PurePosixPath(ports.checkout.path), PurePosixPath(ports.workspaces.export(commit))
    spec = CommandSpec(argv=("true",), profile=Profile.VERIFY, project=project, backing=backing, label=_LABEL)
    if setup := policy.commands.setup:
        asked = SetupRun(setup, project, policy.timeouts.setup, _LABEL, grants=policy.conditions.setup_env)
        layer = ports.layers.ensure(asked, backing)
        if isinstance(layer, Outcome):
            if isinstance(layer.ended, Killed):
                raise Interrupted("stopped during setup", layer.ended.reason)
            text = ports.blobs.clean(describe_ended(layer.ended))
            raise Unavailable(f"setup did not succeed: {text}", f"correct project.commands.setup in {CONFIG}")
        spec = replace(spec, layers=(layer.project,), home_layers=(layer.home,))
    return under(policy.conditions, spec)


def read_pins(repository: Repository) -> Pins:
    return parse_pins(read_document(repository.path, PATH))


def _restore(studio: Studio, pins: Pins, progress: Progress) -> Pins:
    """Pictures of the baseline that are gone are shot again where they were accepted; only the same ones count."""
    lost = list_lost(studio.eyes.pictures, pins)
    vault = studio.assembly.ports.vault
    for commit in sorted({pins.shots[key].commit for key in lost}):
        known = _resolve(studio, commit)
        if not known:
            continue
        vault.adopt(known)
        progress(f"the baseline's pictures of {commit[:12]} are not on this machine: shooting them again")
        repeated = _look(studio, known)
        for seen in repeated.seen:
            pin(studio.eyes.pictures, repeated, seen)
    return pins


def _remember(repository: Repository, check: VisualCheck) -> None:
    place = repository.home.visual / "last.json"
    with translated(place):
        make_folders(place.parent, 0o700)
    write_atomically(place, msgspec.json.encode(check), mode=0o600)


def read_last(repository: Repository) -> VisualCheck:
    place = repository.home.visual / "last.json"
    with translated(place):
        if not place.exists():
            raise UsageError("no screenshots have been taken yet", "`autopilot visual check` takes them")
        content = place.read_bytes()
    try:
        return msgspec.json.decode(content, type=VisualCheck)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UsageError(f"the last check cannot be read: {error}", "run `autopilot visual check` again") from error


def _show(studio: Studio, check: VisualCheck) -> None:
    """For people: the pictures before, after and what differs, in the folder that ignores itself."""
    root, pictures = studio.repository.path, studio.eyes.pictures
    write_document(root, ".autopilot/.gitignore", b"*\n")
    if (root / SHOWN).is_dir() and not (root / ".autopilot").is_symlink():
        remove_tree(root / SHOWN)  # pictures of an earlier check would be taken for those of this one
    for pair in check.compared:
        for name, digest in (("before", pair.before), ("after", pair.picture), ("diff", pair.difference)):
            if digest:
                write_document(root, f"{SHOWN}/{pair.shot}.{name}.png", pictures.get(digest))


def accept(repository: Repository, routes: Sequence[str]) -> tuple[VisualCheck, tuple[str, ...], tuple[str, ...]]:
    """Pin what was seen last. Returns it, the keys that were pinned, and those that cannot be, as they move."""
    check = read_last(repository)
    wanted = [seen for seen in check.seen if not routes or any(_is_of(seen.key, route) for route in routes)]
    known = sorted({seen.key.rsplit("-", 2)[0] for seen in check.seen})
    for route in routes:
        if not any(_is_of(seen.key, route) for seen in check.seen):
            near = get_close_matches(route, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the last check looked at {', '.join(known)}"
            raise UsageError(f"the last check has no route {route}", hint)
    steady = [seen for seen in wanted if not seen.moving and seen.picture]
    pictures = open_pictures(repository)
    pins = read_pins(repository)
    added = {seen.key: pin(pictures, check, seen) for seen in steady}
    # A route that is no longer there would stay in the file for ever.
    kept = pins.shots if routes else {}
    write_document(repository.path, PATH, render_pins(Pins(shots={**kept, **added})))
    refused = tuple(seen.key for seen in wanted if seen not in steady)
    return check, tuple(added), refused


def _is_of(key: str, route: str) -> bool:
    return route in (key, key.rsplit("-", 2)[0])
