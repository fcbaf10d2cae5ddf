"""What builds made and an agent committed is left out of its work, and said; its own commit stays in the vault."""

from __future__ import annotations

from autopilot.gates.work_area import WorkAreas, find_left_out
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import StepContext
from autopilot.text.naming import plural

MOST_CHANGES = 100_000  # files of one commit: one that changes more is refused as it is


def leave_out(ctx: StepContext, start: str, head: str, keep_as: str, areas: WorkAreas) -> tuple[str, tuple[str, ...]]:
    """The commit to judge in place of ``head``, and the folders that it lacks, each with the number of its files."""
    vault = ctx.ports.vault
    changes = vault.changes(start, head, most=MOST_CHANGES + 1)
    if len(changes) > MOST_CHANGES:
        return head, ()
    folders = find_left_out([change.path for change in changes if change.status == "A"], areas)
    if not folders:
        return head, ()
    without = head
    for folder in folders:
        tree = vault.tree_without(without, folder)
        # On top of the agent's own commit, which therefore stays: nothing of it is lost.
        without = vault.commit(tree, [without], f"without {folder}", ctx.time, AUTHOR)
    vault.set_ref(keep_as, without, head)
    return without, tuple(f"{folder} ({plural(number, 'file')})" for folder, number in sorted(folders.items()))
