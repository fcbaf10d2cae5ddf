"""Two commits made into one tree, in the vault alone: no checkout, no driver, no memory of earlier resolutions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.adapters.git.command import Answer, Git, failure, shown
from autopilot.model.git import Merge

# Said here so that no version of git and no configuration decides otherwise. Attributes of the trees are not read in a
# bare repository without an index: a merge driver they name does not run, and ``merge=union`` hides no conflict.
MERGING = {
    "merge.renames": "true",
    "merge.renameLimit": "1000",  # looking for more would take minutes; what is not found is a conflict
    "merge.directoryRenames": "conflict",
    "merge.conflictStyle": "merge",
    "merge.renormalize": "false",
    "merge.default": "text",
}
_UNRELATED = "unrelated histories"
_CONFLICT = b"CONFLICT"


class _Message(Struct, frozen=True):
    paths: tuple[bytes, ...]
    kind: bytes  # never translated
    text: str


def merge(git: Git, ours: str, theirs: str) -> Merge:
    """Both must be commits of this repository."""
    answer = git.ask("merge-tree", "--write-tree", "--messages", "--name-only", "-z", ours, theirs)
    if answer.code not in (0, 1) and _UNRELATED in answer.complaint:
        return Merge("", refused="they have no history in common")
    if answer.code not in (0, 1) or not answer.output:
        raise failure(["merge-tree"], answer.complaint)
    return _parse_answer(answer)


def _parse_answer(answer: Answer) -> Merge:
    """The tree, the paths with more than one version, an empty field, then messages.

    Only the exit code says whether it was clean: where a folder was renamed in two ways no path has two versions, and
    only a message tells.
    """
    fields = iter(answer.output.split(b"\0"))
    tree = next(fields).decode()
    paths = set(iter(lambda: next(fields), b""))
    conflicts = [message for message in _parse_messages(fields) if message.kind.startswith(_CONFLICT)]
    paths.update(path for message in conflicts for path in message.paths)
    if answer.code == 0:
        assert not paths, f"git calls a merge clean that has conflicts: {sorted(paths)}"
        return Merge(tree)
    if not paths:
        return Merge("", refused="git reports a conflict and names no path")
    return Merge(tree, tuple(sorted(map(shown, paths))), tuple(message.text for message in conflicts))


def _parse_messages(fields: Iterator[bytes]) -> Iterator[_Message]:
    for count in fields:
        if not count.isdigit():
            return  # the end, or advice to people, which follows without form
        paths = tuple(next(fields) for _ in range(int(count)))
        yield _Message(paths, next(fields), shown(next(fields)).strip())
