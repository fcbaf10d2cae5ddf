"""Which files are documents and nothing else: people read them, no process runs them, no agent follows them."""

from __future__ import annotations

import re

from autopilot.inspection.control.changes import control_kind
from autopilot.model.git import Change
from autopilot.text.file_kind import is_protocol, is_test, suffix_of

_DOCUMENTS = frozenset({".md", ".mdx", ".rst", ".adoc", ".org", ".tex", ".pdf", ".txt", ""})
_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"})
_FOLDERS = frozenset({"doc", "docs"})
# Known by their names wherever they stand.
_ABOUT = re.compile(
    r"(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|SUPPORT|GOVERNANCE|ROADMAP|"
    r"LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|MAINTAINERS|UPGRADING|MIGRATION)\b.*",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"(?=.*\.txt\Z)(?:.*requirements|constraints|(?:cmakelists|robots)\.txt\Z|.*words|.*ignore).*",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = "100644"
_NONE = ("", "0", "000000")


def is_document(path: str) -> bool:
    """In doubt it is none. A text among the code may be data, a template or a prompt that the product reads."""
    *folders, name = path.split("/")
    if is_protocol(path) or is_test(path) or control_kind(path) is not None or _LISTS.fullmatch(name):
        return False
    if any(folder.startswith(".") for folder in folders) or name.startswith("."):
        return False
    suffix = suffix_of(path)
    if suffix in _DOCUMENTS and _ABOUT.fullmatch(name):
        return True
    if not folders:
        return suffix in _DOCUMENTS - {".txt", ""}
    return folders[0].lower() in _FOLDERS and suffix in (_DOCUMENTS - {""}) | _PICTURES


def is_document_change(change: Change) -> bool:
    """A link, a submodule and a file that may be run are more than their text."""
    return is_document(change.path) and all(mode in (_PLAIN, *_NONE) for mode in (change.old_mode, change.new_mode))
