"""What is to be proven: the work between two commits, and what of it judges the rest (layer S)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.evidence.control import judge_control, to_restore
from autopilot.gates.evidence.declared import covers, declared_by
from autopilot.gates.evidence.kept import Origin
from autopilot.gates.evidence.test_id import is_named
from autopilot.inspection.control.changes import control_changes, scripts_behind
from autopilot.inspection.control.collected import read_collected
from autopilot.inspection.control.judging_modules import becomes_product, helpers_of_tests, modules_beside_tests
from autopilot.inspection.control.judging_scripts import names_in_scripts, scripts_of_tests
from autopilot.model.evidence.control import ControlChange, ControlKind, Meaning
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.git import Change
from autopilot.model.planning.plan import Task
from autopilot.model.policy import Evidence
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.base import opened_before
from autopilot.steps.evidence.users_tests import hold_users_tests, removals_by_user
from autopilot.steps.observing.observing import Check, observe
from autopilot.steps.observing.texts import text_at
from autopilot.text.file_kind import is_ours, is_test

STEERING = (ControlKind.SUPPORT, ControlKind.RUNNER)
EVIDENCE = (ControlKind.TEST, ControlKind.FIXTURE, ControlKind.SNAPSHOT)


class Work(Struct, frozen=True):
    subject: str  # a task or the whole phase
    old: str
    new: str
    tasks: tuple[Task, ...]
    changes: tuple[Change, ...] = ()
    control: tuple[ControlChange, ...] = ()
    declared: tuple[str, ...] = ()
    objections: tuple[Objection, ...] = ()
    steered: bool = False  # this work, or one of the phase before it, changed what test tools load by themselves
    moves: tuple[tuple[str, str], ...] = ()  # test files that stand elsewhere than at the base, this work's last
    kept: tuple[Origin, ...] = ()  # tests that stand in another file, order or table than at the base
    beside: tuple[str, ...] = ()  # changed modules that no task lists, and that only tests load: they may judge
    asked: str = ""  # what the user orders to be removed: no plan has to repeat it
    evidence: str = ""  # the commit to observe: ``new``, with every undeclared change of a control file reverted

    @property
    def tests(self) -> tuple[ControlChange, ...]:
        """The tests this work brought or changed, with what they read."""
        return tuple(change for change in self.control if change.kind in EVIDENCE)

    @property
    def is_restored(self) -> bool:
        """Whether it is looked at on a tree made for that."""
        return self.evidence != self.new

    @property
    def text(self) -> str:
        """Everything the plan says of these tasks, and the user of the phase: a test that is to go, or to be skipped,
        stands there by its name."""
        planned = [
            f"{task.title}\n{task.action}\n{task.done}\n" + "\n".join(task.promises.values()) for task in self.tasks
        ]
        return "\n".join([*planned, self.asked])

    def is_declared(self, path: str) -> bool:
        held = any(change.path == path and change.held for change in self.control)
        return not held and any(covers(name, path) for name in self.declared)

    def is_control(self, path: str) -> bool:
        return any(change.path == path for change in self.control)

    def is_product(self, path: str) -> bool:
        """What is no control file, and a module that only tests used so far, where the task is to build it."""
        return not self.is_control(path) or (self.is_declared(path) and not is_test(path))

    def is_evidence(self, path: str) -> bool:
        """Tests inside a file of the product do not make that file evidence."""
        return any(change.path == path and not change.inline for change in self.control)


def survey(ctx: StepContext, subject: str, old: str, new: str, tasks: Sequence[Task]) -> Work:
    changes = _changes(ctx, old, new)
    bare = Work(subject, old, new, tuple(tasks), changes, asked=removals_by_user(ctx), evidence=new)
    if ctx.policy.evidence == Evidence():
        return bare
    commands = [command for _, command in ctx.policy.commands.checks()]
    commands += [command for task in tasks for command in task.commands]
    control = tuple(_as_planned(change, bare.text) for change in _control(ctx, old, new, changes, commands))
    control = tuple(change for change in control if not _is_built(ctx, change, old, new, tasks))
    control, released = hold_users_tests(ctx, old, new, changes, control)
    declared = (*(path for task in tasks for path in declared_by(task)), *released)
    begun = ctx.phase.plan.commit or ctx.phase.line.base
    earlier = _control(ctx, begun, old, _changes(ctx, begun, old), commands) if begun and begun != old else ()
    moves = tuple((change.path, change.moved_to) for change in (*earlier, *control) if change.moved_to)
    kept = tuple((change.path, test) for change in (*earlier, *control) for test in change.kept)
    steered = _steers((*earlier, *control))
    work = replace(bare, control=control, declared=declared, steered=steered, moves=moves, kept=kept)
    if not ctx.policy.evidence.control:
        return work
    return replace(
        work,
        beside=_beside(ctx, work),
        objections=judge_control(subject, control, declared),
        evidence=_restored(ctx, old, new, to_restore(control, declared)),
    )


def _is_built(ctx: StepContext, change: ControlChange, old: str, new: str, tasks: Sequence[Task]) -> bool:
    """A module of values that gets its code from a task that names it is no helper of tests."""
    if change.kind is not ControlKind.HELPER or not any(change.path in declared_by(task) for task in tasks):
        return False
    before, after = text_at(ctx, old)(change.path), text_at(ctx, new)(change.path)
    return before is not None and after is not None and becomes_product(change.path, before, after)


def _as_planned(change: ControlChange, text: str) -> ControlChange:
    """Tests may follow a new name of the product where the plan speaks of the old one."""
    if all(is_named(old, text) for old, _ in change.renamed):
        return change
    return replace(change, meaning=Meaning.OTHER, kept=(), renamed=())


def _changes(ctx: StepContext, old: str, new: str) -> tuple[Change, ...]:
    return tuple(change for change in ctx.ports.vault.changes(old, new) if not is_ours(change.path))


def _control(
    ctx: StepContext, old: str, new: str, changes: Sequence[Change], commands: Sequence[str]
) -> tuple[ControlChange, ...]:
    before, after = text_at(ctx, old), text_at(ctx, new)
    checks = [command for _, command in ctx.policy.commands.checks()]
    known = [change.path for change in changes if change.status != "A"]
    paths, behind = ctx.ports.vault.list(old), scripts_behind(commands, before, checks)
    helpers = helpers_of_tests(known, paths, before, opened_before(ctx)) + scripts_of_tests(
        known, paths, before, behind
    )
    loaded = any(path.endswith((".bash", ".sh")) for path in known)
    used = names_in_scripts(paths, before) if loaded else frozenset[str]()
    collected = read_collected(checks, before, paths)
    return control_changes(changes, before, after, behind, helpers, paths, used, collected)


def _beside(ctx: StepContext, work: Work) -> tuple[str, ...]:
    """A plan that lists no files says nothing of where the product is."""
    if not any(task.files for task in work.tasks):
        return ()
    changed = [
        c.path for c in work.changes if c.status == "M" and not (work.is_control(c.path) or work.is_declared(c.path))
    ]
    vault, opened = ctx.ports.vault, opened_before(ctx)
    was = modules_beside_tests(changed, vault.list(work.old), text_at(ctx, work.old), opened)
    return modules_beside_tests(was, vault.list(work.new), text_at(ctx, work.new), opened) if was else ()


def _steers(changes: Sequence[ControlChange]) -> bool:
    return any(change.kind in STEERING and change.meaning is not Meaning.SAME for change in changes)


def observe_work(ctx: StepContext, work: Work, checks: Sequence[Check]) -> tuple[Observation, ...]:
    return observe(ctx, work.evidence, checks, kept=not work.is_restored)


def _restored(ctx: StepContext, old: str, new: str, paths: Sequence[str]) -> str:
    if not paths:
        return new
    return commit_with(ctx, new, {path: ctx.ports.vault.read(old, path) for path in paths})


def commit_with(ctx: StepContext, commit: str, edits: Mapping[str, bytes | None]) -> str:
    """A commit made for one check: no ref names it, and it never becomes part of a branch."""
    vault = ctx.ports.vault
    return vault.commit(vault.edit_tree(commit, edits), [commit], "a tree made for one check", ctx.time, AUTHOR)
