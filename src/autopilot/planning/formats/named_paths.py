"""Paths of files that the text of a task names."""

from __future__ import annotations

import re

_PATH = re.compile(
    r"(?<![\w/.:@-])((?:[\w.@+-]{1,80}/){0,12}[\w.@+()\[\]-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,7}|(?:[\w.@+-]{1,80}/){1,12})(?![\w/-])"
)
_KNOWN_BARE = re.compile(
    r"(?:\.py|\.m?[jt]sx?|\.json|\.ya?ml|\.toml|\.md|\.rs|\.go|\.java|\.kts?|\.rb|\.php|\.c|\.h|\.cpp|\.cs|\.swift|\.sh|\.sql|\.html|\.css"
    r"|\.lock|\.cfg|\.ini|\.txt|\.env|\.xml|\.gradle|\.dart|\.vue|\.svelte)\Z"
)


def paths_in(text: str) -> tuple[str, ...]:
    """Paths that a task names: with a folder, or of a well-known ending."""
    found = (match[1].removeprefix("./") for match in _PATH.finditer(text))
    kept = (path for path in found if ("/" in path or _KNOWN_BARE.search(path)) and ".." not in path)
    return tuple(dict.fromkeys(path for path in kept if not path.startswith("/")))[:20]
