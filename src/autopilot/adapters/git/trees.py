"""Trees as git stores them: read, written and edited in memory. Pure; what it needs is loaded by the caller."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from msgspec import Struct

FILE, PROGRAM, LINK, FOLDER, REPOSITORY = 0o100644, 0o100755, 0o120000, 0o040000, 0o160000


class Entry(Struct, frozen=True):
    mode: int
    id: str

    @property
    def is_file(self) -> bool:
        return self.mode & 0o170000 == 0o100000


Tree = dict[bytes, Entry]
Loader = Callable[[str], Tree]
Edits = dict[bytes, "Entry | Edits | None"]
Object = tuple[str, bytes]  # kind and content
Made = list[Object]


def object_id(kind: str, content: bytes) -> str:
    return hashlib.sha1(header(kind, content) + content, usedforsecurity=False).hexdigest()


def header(kind: str, content: bytes) -> bytes:
    """What git puts before the content of an object, to name it and to keep it."""
    return f"{kind} {len(content)}\0".encode()


def parse_tree(content: bytes) -> Tree:
    tree: Tree = {}
    position = 0
    while position < len(content):
        space = content.index(b" ", position)
        end = content.index(b"\0", space)
        mode = _as_git_reads(int(content[position:space], 8))
        tree[content[space + 1 : end]] = Entry(mode, content[end + 1 : end + 21].hex())
        position = end + 21
    return tree


def _as_git_reads(mode: int) -> int:
    """Git looks at the type alone: 120777 is a link to it, 40755 a folder, and what it does not know a repository.

    Files keep their bits: very old trees hold 100664, and are to be written as they were.
    """
    kind = mode & 0o170000
    return mode if kind == 0o100000 else {LINK: LINK, FOLDER: FOLDER}.get(kind, REPOSITORY)


def render_tree(tree: Tree) -> bytes:
    # Git sorts a folder as if its name ended in a slash.
    ordered = sorted(tree.items(), key=lambda item: item[0] + b"/" if item[1].mode == FOLDER else item[0])
    return b"".join(b"%o %b\0%b" % (entry.mode, name, bytes.fromhex(entry.id)) for name, entry in ordered)


def edited(tree: Tree, edits: Edits, load: Loader, made: Made) -> Tree:
    """The tree with these edits. New folders are added to ``made``, inner ones first; empty ones vanish."""
    result = dict(tree)
    for name, edit in edits.items():
        if isinstance(edit, dict):
            before = tree.get(name)
            inside = load(before.id) if before and before.mode == FOLDER else {}
            after = edited(inside, edit, load, made)
            if after == inside:
                continue
            edit = _keep(after, made) if after else None
        if edit is None:
            result.pop(name, None)
        else:
            result[name] = edit
    return result


def nested(edits: Mapping[tuple[bytes, ...], Entry | None]) -> Edits:
    """Edits by path as edits by folder."""
    root: Edits = {}
    for path, edit in edits.items():
        folder = root
        for name in path[:-1]:
            inner = folder.setdefault(name, {})
            if not isinstance(inner, dict):
                # The same call writes ``a`` and ``a/b``: removing ``a`` is implied, writing both cannot be.
                assert inner is None, f"{path!r} lies below a file that is written too"
                inner = folder[name] = {}
            folder = inner
        if edit is not None or path[-1] not in folder:
            folder[path[-1]] = edit
    return root


def _keep(tree: Tree, made: Made) -> Entry:
    content = render_tree(tree)
    made.append(("tree", content))
    return Entry(FOLDER, object_id("tree", content))
