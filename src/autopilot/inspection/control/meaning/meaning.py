"""What a change of a test file means to the tests that were in it."""

from __future__ import annotations

from autopilot.inspection.control.meaning.go import Go
from autopilot.inspection.control.meaning.merging import compare_statements
from autopilot.inspection.control.meaning.python import compare_python
from autopilot.inspection.control.meaning.rust import Rust
from autopilot.inspection.control.meaning.script import Script
from autopilot.inspection.control.meaning.shell import compare_shell
from autopilot.inspection.control.meaning.source import read_source
from autopilot.model.evidence.control import Meaning
from autopilot.text.grammar import Grammar

_UNREADABLE = "\ufffd"  # stands for bytes that are no UTF-8: two texts with it may differ
_LANGUAGES = (
    ((".ts", ".cts", ".mts"), Grammar.TYPESCRIPT, Script()),
    ((".js", ".cjs", ".mjs", ".jsx", ".tsx"), Grammar.TSX, Script()),
    ((".go",), Grammar.GO, Go()),
    ((".rs",), Grammar.RUST, Rust()),
)


_SHELL = (".bats", ".bash", ".sh")


def compare_tests(old: str, new: str, path: str, moved_to: str = "", used: frozenset[str] = frozenset()) -> Meaning:
    """OTHER where it is not known: for languages that are not read here, and for texts that are none of theirs.

    ``used`` are words of other shell files, which may call what this one defines.
    """
    if _UNREADABLE in old or _UNREADABLE in new:
        return Meaning.OTHER
    try:
        if path.endswith(".py"):
            return compare_python(old, new, path, moved_to)
        if path.endswith(_SHELL):
            return compare_shell(old, new, path, moved_to, used)
        for endings, grammar, language in _LANGUAGES:
            if path.endswith(endings):
                before, after = read_source(old, path, grammar), read_source(new, moved_to or path, grammar)
                return compare_statements(before, after, language) if before and after else Meaning.OTHER
    except RecursionError:  # code that is nested too deeply
        return Meaning.OTHER
    return Meaning.OTHER
