"""An edit of the phases as the user reads it: in sentences, as a diff, as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff
from pathlib import PurePosixPath
from typing import Any

from autopilot.model.planning.edit import Edit
from autopilot.text.naming import plural

MOST_NOTES = 12

Read = Callable[[str], bytes | None]


def render_edit(edit: Edit, commit: str, most_notes: int = MOST_NOTES) -> Iterator[str]:
    yield f"{edit.summary.removeprefix('docs: ')}"
    if edit.renumbered:
        pairs = ", ".join(f"{old} → {new}" for old, new in edit.renumbered.items())
        yield f"  renumbered: {pairs}"
    for old, new in _folders(edit.moved).items():
        yield f"  renamed: {old} → {new}"
    own = [path for path, content in edit.files.items() if content is not None and path not in edit.moved.values()]
    if own:
        yield f"  written: {', '.join(sorted(own)[:6])}" + (f" and {len(own) - 6} more" if len(own) > 6 else "")
    gone = [path for path, content in edit.files.items() if content is None and path not in edit.moved]
    if gone:
        folders = sorted({str(PurePosixPath(path).parent) for path in gone})
        yield f"  removed: {plural(len(gone), 'file')} of {', '.join(folders)}"
    yield f"  committed: {commit[:12]}; `git revert {commit[:12]}` takes it back" if commit else "  not committed"
    yield from render_notes(edit, most_notes)


def render_notes(edit: Edit, most: int = MOST_NOTES) -> Iterator[str]:
    yield from (f"  note: {note}" for note in edit.notes[:most])
    if len(edit.notes) > most:
        yield f"  note: and {plural(len(edit.notes) - most, 'note')} more: --json shows all"


def render_diff(edit: Edit, read: Read) -> Iterator[str]:
    """As `git apply` takes it."""
    back = {new: old for old, new in edit.moved.items()}
    for path, content in sorted(edit.files.items()):
        if content is None and path in edit.moved:
            continue
        old = back.get(path, path)
        yield f"diff --git a/{old} b/{path}"
        if old != path:
            yield from (f"rename from {old}", f"rename to {path}")
        before = read(old)
        yield from () if before is not None else ("new file mode 100644",)
        yield from () if content is not None else ("deleted file mode 100644",)
        yield from _hunks(f"a/{old}", f"b/{path}", before, content)


def _hunks(old: str, new: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
    if before == after:
        return
    names = ("/dev/null" if before is None else old, "/dev/null" if after is None else new)
    for line in unified_diff(_lines(before), _lines(after), *names):
        yield line.rstrip("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(content: bytes | None) -> list[str]:
    """Split at line feeds only, as git does."""
    return re.findall(r"[^\n]*\n|[^\n]+", (content or b"").decode("utf-8", "backslashreplace"))


def edit_document(edit: Edit, commit: str, *, dry_run: bool) -> dict[str, Any]:
    return {
        "summary": edit.summary,
        "phase": edit.phase,
        "dry_run": dry_run,
        "commit": commit or None,
        "renumbered": dict(edit.renumbered),
        "renamed": dict(edit.moved),
        "written": sorted(path for path, content in edit.files.items() if content is not None),
        "removed": sorted(path for path, content in edit.files.items() if content is None and path not in edit.moved),
        "notes": list(edit.notes),
    }


def _folders(moved: Mapping[str, str]) -> dict[str, str]:
    """The folders that are renamed, once each."""
    pairs = ((PurePosixPath(old), PurePosixPath(new)) for old, new in moved.items())
    found = {"/".join(old.parts[:3]): "/".join(new.parts[: 3 + len(new.parts) - len(old.parts)]) for old, new in pairs}
    return {old: new for old, new in sorted(found.items()) if old != new}
