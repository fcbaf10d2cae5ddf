"""Writes an edit of the phases: as one commit on the user's branch, or as plain files where git ignores them.

The order is fixed: a note of what is meant, then the landing, which has a note of its own, then the note goes. Killed
before the landing, nothing has changed; killed within it, the next `autopilot phase` command finishes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import Struct

from autopilot.adapters.git.checkout.documents import keep_replaced, write_document
from autopilot.api.assembly import Assembly
from autopilot.api.phases.pending import Pending, PendingFile, digest
from autopilot.api.phases.reading import PLANNING, Source, must_be_gsd, read_source
from autopilot.model.errors import UsageError
from autopilot.model.git import DETACHED_HEAD, SWITCH, LandingResult, LandingState
from autopilot.model.planning.edit import Edit
from autopilot.ports.bundle import Ports
from autopilot.steps.authoring import AUTHOR

_TRIES = 2  # the first may only undo what another landing left
NO_COMMIT = "or write without a commit: --no-commit"


Read = Callable[[str], bytes | None]


def read_nothing(_: str) -> bytes | None:
    return None


class Request(Struct, frozen=True):
    arguments: tuple[str, ...]  # the command and what follows it, to know it again
    commits: bool = True
    dry_run: bool = False


class Outcome(Struct, frozen=True):
    edit: Edit | None  # None: an earlier command was finished, and this is it again
    read: Read = read_nothing  # what a file held before
    commit: str = ""
    summary: str = ""
    finished: str = ""  # what an earlier command had begun


class Prepared(Struct, frozen=True):
    """An edit, and the commit that it is to follow; "" where files are written as they lie in the checkout."""

    edit: Edit
    head: str
    read: Read


def edit_phases(assembly: Assembly, request: Request, make: Callable[[Source], Edit]) -> Outcome:
    """``make`` says what is to change in the roadmap, or refuses."""

    def prepare(commits: bool) -> Prepared:
        must_be_gsd(assembly.ports.checkout)
        source = read_source(assembly, commits=commits)
        return Prepared(make(source), source.head, source.project.read)

    return write_edit(assembly, request, prepare)


def write_edit(assembly: Assembly, request: Request, prepare: Callable[[bool], Prepared]) -> Outcome:
    """``prepare`` gets whether the edit is to be a commit."""
    assembly.lock.take(" ".join(("autopilot", *request.arguments)))
    try:
        assembly.checkout_lock.take(f"autopilot {request.arguments[0]}")
        try:
            return _edit(assembly, request, prepare)
        finally:
            assembly.checkout_lock.release()
    finally:
        assembly.lock.release()


def _edit(assembly: Assembly, request: Request, prepare: Callable[[bool], Prepared]) -> Outcome:
    note = PendingFile(assembly.repository.home.root)
    finished = None if request.dry_run else _finish(assembly.ports, note, request)
    if finished is not None and finished.arguments == request.arguments:
        return Outcome(None, commit=finished.new, summary=finished.summary, finished=finished.summary)
    earlier = finished.summary if finished else ""
    prepared = prepare(request.commits and _is_tracked(assembly.ports))
    edit, read = prepared.edit, prepared.read
    if request.dry_run:
        return Outcome(edit, read, summary=edit.summary)
    if prepared.head:
        commit = _commit(assembly.ports, note, request, prepared.head, edit)
        return Outcome(edit, read, commit, edit.summary, earlier)
    pending = Pending(
        request.arguments,
        edit.summary,
        files=edit.files,
        before={path: digest(assembly.ports.checkout.read(path)) for path in edit.files},
    )
    note.write(pending)
    _write_plainly(assembly.ports, note, pending)
    return Outcome(edit, read, "", edit.summary, earlier)


def _is_tracked(ports: Ports) -> bool:
    if not ports.checkout.head():
        raise UsageError("the repository has no commit yet", f"commit the roadmap first, {NO_COMMIT}")
    return not ports.checkout.facts().planning_ignored


def _commit(ports: Ports, note: PendingFile, request: Request, head: str, edit: Edit) -> str:
    if not ports.checkout.branch():
        raise UsageError(DETACHED_HEAD, f"{SWITCH.removesuffix(' before the run')}, {NO_COMMIT}")
    _must_be_tracked(ports, head, edit)
    tree = ports.vault.edit_tree(head, edit.files)
    commit = ports.vault.commit(tree, [head], edit.summary, ports.clock.now(), AUTHOR)
    note.write(Pending(request.arguments, edit.summary, head, commit, paths=tuple(sorted(edit.files))))
    result = _land(ports, head, commit)
    if result.state is not LandingState.LANDED:
        note.erase()
        raise _refusal(result)
    note.erase()
    _remove_empty_folders(ports.checkout.path, edit.files)
    return commit


def _land(ports: Ports, old: str, new: str) -> LandingResult:
    result = ports.checkout.land(old, new, beside=True)
    for _ in range(_TRIES - 1):
        if result.state is LandingState.NOT_CLEAN:
            result = ports.checkout.land(old, new, beside=True)
    return result


def _refusal(result: LandingResult) -> UsageError:
    named = ", ".join(result.paths[:3]) + (", …" if len(result.paths) > 3 else "")
    because = f"{result.because}: {named}" if named else result.because
    hints = {
        LandingState.NOT_CLEAN: f"commit or stash them, {NO_COMMIT}",
        LandingState.UNTRACKED: f"add and commit them, or move them away, {NO_COMMIT}",
    }
    return UsageError(
        f"nothing was written: {because}", hints.get(result.state, "settle that, then repeat the command")
    )


def _must_be_tracked(ports: Ports, head: str, edit: Edit) -> None:
    """A folder is renamed or removed by git: what git does not know of would stay behind under the old name."""
    folders = sorted({str(PurePosixPath(path).parent) for path, content in edit.files.items() if content is None})
    known = set(ports.vault.list(head, PLANNING))
    left = [path for folder in folders for path in ports.checkout.list(folder) if path not in known]
    if left:
        raise UsageError(
            f"{left[0]} is not committed, and its folder would be renamed or removed",
            f"commit it (`git add -f {left[0]}`) or move it away, {NO_COMMIT}",
        )


def _finish(ports: Ports, note: PendingFile, request: Request) -> Pending | None:
    """The edit that was cut off, finished; None where there is none, or it had changed nothing and is not repeated."""
    pending = note.read()
    if pending is None:
        return None
    is_same = pending.arguments == request.arguments
    if not pending.new:
        return _finish_plainly(ports, note, pending, is_same=is_same)
    head = ports.checkout.head()
    begun = head != pending.old or not set(ports.checkout.dirty()).isdisjoint(pending.paths)
    if not begun and not is_same:
        note.erase()
        return None
    result = _land(ports, pending.old, pending.new)
    if result.state is LandingState.NOT_CLEAN:
        raise UsageError(
            f"an edit was interrupted ({pending.summary}), and cannot be finished: {result.because}",
            "look at `git status`; commit or put back these files, then repeat the command",
        )
    note.erase()
    _remove_empty_folders(ports.checkout.path, pending.paths)
    return pending if result.state is LandingState.LANDED else None


def _finish_plainly(ports: Ports, note: PendingFile, pending: Pending, *, is_same: bool) -> Pending | None:
    begun = any(digest(ports.checkout.read(path)) != before for path, before in pending.before.items())
    if not begun and not is_same:
        note.erase()
        return None
    _write_plainly(ports, note, pending)
    return pending


def _write_plainly(ports: Ports, note: PendingFile, pending: Pending) -> None:
    """Every file is as it was or as it is to be; one that is neither was changed by the user, and stops it."""
    root = ports.checkout.path
    for path, content in pending.files.items():
        if digest(ports.checkout.read(path)) not in (pending.before[path], digest(content)):
            note.erase()
            raise UsageError(
                f"{path} was changed meanwhile, and is left as it is", "look at the planning files by hand"
            )
    for path, content in pending.files.items():
        if content is not None:
            write_document(root, path, content)
    for path in (path for path, content in pending.files.items() if content is None):
        if keep_replaced(root, path, b""):
            (root / path).unlink(missing_ok=True)
    note.erase()
    _remove_empty_folders(root, pending.files)


def _remove_empty_folders(root: Path, paths: Iterable[str]) -> None:
    """Of phases whose files went elsewhere; never the planning folder itself."""
    for path in paths:
        for folder in PurePosixPath(path).parents:
            if len(folder.parts) > 2 and folder.parts[0] == PLANNING:
                with suppress(OSError):
                    (root / folder).rmdir()
