"""What may be added to a shell test file without a word: bats tests, and functions and values that nothing uses yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname

from autopilot.inspection.control.meaning.bats import as_shell, title_of
from autopilot.inspection.control.meaning.merging import Body, Import, Statement, compare_statements
from autopilot.inspection.control.meaning.source import Source
from autopilot.model.evidence.control import Meaning
from autopilot.text.grammar import Grammar
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.script_tree import flat_tree

_WORD = lazy_regex(r"[A-Za-z_][\w.:-]*")
# What bats and shells call by themselves, read by themselves, or find before a program of that name.
_TAKEN = lazy_regex(
    r"(?:setup|teardown)(?:_file|_suite)?|one[A-Z]\w*|suite|setUp|tearDown|main|run|load|skip|fail|bats_.*|BATS.*|BASH.*|"
    r"LC_.*|LD_.*|GIT_.*|PATH|IFS|ENV|HOME|PWD|LANG|SHELL|TMPDIR|TERM|PS[0-4]|CDPATH|GLOBIGNORE|POSIXLY_CORRECT|command_not_found_handle|"
    r"[^\w].*|alias|builtin|cd|command|declare|echo|eval|exec|exit|export|false|let|local|printf|pwd|read|readonly|return|set|"
    r"shift|shopt|source|test|trap|true|type|unset|wait|[ef]?grep|[gm]?awk|basename|bash|cat|chmod|cmp|comm|cp|curl|cut|date|diff|"
    r"dirname|env|expr|find|git|head|jq|kill|ln|ls|make|mkdir|mktemp|mv|node|perl|ps|python\d?|readlink|realpath|rm|ruby|"
    r"sed|sh|sleep|sort|stat|tail|tee|timeout|touch|tr|uniq|wc|which|xargs"
)
_CALLS = frozenset({"command_substitution", "process_substitution", "expansion", "simple_expansion", "subscript"})


class Shell:
    """``used`` are words that what is already there may mean by a name: those of the file, and of its tests."""

    def __init__(self, used: frozenset[str]) -> None:
        self._used = used

    def statements(self, source: Source, around: int) -> Sequence[Statement]:
        return [Statement(source, index) for index in source.children(around)]

    def imports(self, statement: Statement) -> Iterator[Import] | None:  # noqa: ARG002
        return None  # what a sourced file defines is not written in this one

    def body(self, statement: Statement) -> Body | None:  # noqa: ARG002
        return None

    def title(self, statement: Statement) -> str:
        return _name(statement)

    def may_add(self, statement: Statement, used: frozenset[str], beside: frozenset[str]) -> bool:  # noqa: ARG002
        name = _name(statement)
        is_free = title_of(name) is not None or not (name in self._used or _TAKEN.fullmatch(name))
        if not name or name in beside or not is_free:
            return False
        if statement.kind == "function_definition":
            return _is_whole(statement)
        source = statement.source
        return not any(source.kind(part) in _CALLS for part in source.inside(statement.index))

    def may_append(self, statement: Statement, used: frozenset[str]) -> bool:  # noqa: ARG002
        return False  # what ends a script decides its exit status


def compare_shell(old: str, new: str, path: str, moved_to: str = "", used: frozenset[str] = frozenset()) -> Meaning:
    """A file in another folder names its neighbours otherwise, so it is compared with nothing."""
    if moved_to and dirname(moved_to) != dirname(path):
        return Meaning.OTHER
    before, after = (_read(text, place) for text, place in ((old, path), (new, moved_to or path)))
    if before is None or after is None:
        return Meaning.OTHER
    return compare_statements(before, after, Shell(names_in(old) | used))


def names_in(text: str) -> frozenset[str]:
    """Everything that could be meant by a name, strings included: they may be called."""
    return frozenset(_WORD.findall(text))


def _read(text: str, path: str) -> Source | None:
    """The grammar does not know every here-string: a function that holds one is compared by its text."""
    content = as_shell(text.replace("\r\n", "\n")).encode()
    tree = flat_tree(content, Grammar.BASH)
    if tree is None:
        return None
    source = Source(content, tree, dirname(path))
    if any(tree.parts[index].wrong and source.kind(index) != "function_definition" for index in tree.children(0)):
        return None
    # What runs in the background is so by a sign between two statements.
    ends = [(source.tree.parts[index].start, source.tree.parts[index].end) for index in source.tree.children(0)]
    between = [source.text[end:start] for (_, end), (start, _) in zip(ends, [*ends[1:], (None, None)], strict=False)]
    return None if any(b"&" in gap for gap in between) else source


def _is_whole(statement: Statement) -> bool:
    """Whether a shell sees its end where the grammar does."""
    part = statement.source.tree.parts[statement.index]
    lines = statement.source.text_of(statement.index).splitlines()
    return not part.wrong or (lines[-1] == "}" and all(not line or line[0] in " \t" for line in lines[1:-1]))


def _name(statement: Statement) -> str:
    """Of what defines one thing: a function, or a variable of a single assignment."""
    if statement.kind in ("function_definition", "variable_assignment"):
        return statement.source.field(statement.index, "name")
    return ""
