"""One function that does nothing: it returns at once, in the language's plainest way, and everything else is as it was.

Found by its name, inside of other functions and objects too, in code whose comments and texts are masked.
"""

from __future__ import annotations

import ast
import re

from autopilot.testtools.mutants.early_return import changed_functions
from autopilot.testtools.mutants.go import read_functions as read_go
from autopilot.testtools.mutants.rust import read_functions as read_rust
from autopilot.text.file_kind import suffix_of
from autopilot.text.grammar import Grammar
from autopilot.text.masking import mask
from autopilot.text.python_tree import compiles, python_tree
from autopilot.text.script_tree import flat_tree

_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx")
_GRAMMARS = {".go": (Grammar.GO, read_go), ".rs": (Grammar.RUST, read_rust)}
_FORMS = {
    **dict.fromkeys(
        _SCRIPTS,
        (
            r"\bfunction\s*\*?\s*NAME\s*(?=\()",
            r"(?<![\w$.])(?:async\s+)?NAME\s*(?=\([^()]*\)\s*(?::[^{};=]{1,80})?\{)",
            r"(?<![\w$])NAME\s*[=:]\s*(?:async\s+)?(?:function\s*\w*\s*)?(?=\()",
        ),
    ),
    ".php": (r"\bfunction\s+&?NAME\s*(?=\()",),
    ".sh": (r"^[ \t]*(?:function\s+)?NAME\s*(?=\(\s*\))",),
    ".pl": (r"\bsub\s+NAME\b",),
    ".rb": (r"^[ \t]*def\s+(?:self\.)?NAME\b(?!\s*=)[^\n=]*(?=\n)",),
}
_FORMS |= {".bash": _FORMS[".sh"], ".pm": _FORMS[".pl"]}
_NOTHING = {".sh": " return 0;", ".bash": " return 0;", ".rb": "\nreturn nil"}
_BODY = re.compile(r"\s*(?:=>\s*|:\s*(?P<type>\??[\w\\|<>\[\] ]{1,60}?)\s*(?:=>\s*)?)?\{")
# A body that is what the language has for nothing: `Builder::default()`, `return Builder{}`.
_DEFAULT = re.compile(
    r"\{\s*(?:return\s+)?&?(?:[\w:<>\[\]*.]{1,80}(?:::(?:default|new)\(\)|\{\s*\})|nil|0|false|None|\"\")\s*;?\s*\}\s*\Z"
)
_ENDS = re.compile(r"\s*\}")
_OF_TYPE = {"int": "0", "float": "0.0", "string": "''", "bool": "false", "array": "[]", "void": "", "iterable": "[]"}


def empty_function(path: str, old: bytes | None, new: bytes, name: str) -> bytes | None:
    """None where the file has no such function, had it before, or where nothing of its type is known."""
    suffix, text = suffix_of(path), new.decode("utf-8", "replace")
    before = old.decode("utf-8", "replace") if old is not None else ""
    if suffix == ".py":
        return None if _python_places(before, name) else _empty_python(text, name)
    if suffix in _GRAMMARS:
        return _empty_compiled(old, new, name, suffix)
    if suffix not in _FORMS or _places(path, before, name):
        return None
    places = _places(path, text, name)
    for place, written in sorted(places, reverse=True):
        text = text[:place] + written + text[place:]
    return text.encode() if places else None


def _python_places(text: str, name: str) -> list[ast.stmt]:
    """The first statement of each, behind what documents it."""
    tree = python_tree(text)
    functions = (node for node in (ast.walk(tree) if tree else ()) if isinstance(node, ast.FunctionDef))
    bodies = [node.body for node in functions if node.name == name]
    documented = [body[1:] if len(body) > 1 and isinstance(body[0], ast.Expr) else body for body in bodies]
    return [body[0] for body in documented if not _is_empty(body)]


def _is_empty(body: list[ast.stmt]) -> bool:
    """It does nothing as it is: a hook, a method of a protocol, one that every subclass writes."""
    (first, *more) = body
    if isinstance(first, ast.Return):
        return first.value is None or (isinstance(first.value, ast.Constant) and first.value.value is None)
    return (not more and isinstance(first, ast.Pass | ast.Raise)) or _is_constant(first)


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _empty_python(text: str, name: str) -> bytes | None:
    places = _python_places(text, name)
    lines = text.split("\n")
    for statement in sorted(places, key=lambda found: found.lineno, reverse=True):
        line = lines[statement.lineno - 1]
        indent = line[: len(line) - len(line.lstrip())]
        if len(line.encode()[: statement.col_offset].decode().strip()):  # behind the colon, on the line of the `def`
            return None
        lines.insert(statement.lineno - 1, f"{indent}return None")
    emptied = "\n".join(lines)
    return emptied.encode() if places and compiles(emptied) else None


def _empty_compiled(old: bytes | None, new: bytes, name: str, suffix: str) -> bytes | None:
    grammar, read = _GRAMMARS[suffix]
    tree = flat_tree(new, grammar)
    known = {function.name for function in read(before, old)} if old and (before := flat_tree(old, grammar)) else set()
    for function in changed_functions(old, new, tree, grammar, read) if tree else ():
        is_named = re.split(r"\.|::", function.name)[-1] == name
        is_default = _DEFAULT.search(new[function.start : function.end].decode("utf-8", "replace"))
        if is_named and function.name not in known and function.has_constant and not (function.early or is_default):
            return new[: function.first] + function.nothing + new[function.last :]
    return None


def _places(path: str, text: str, name: str) -> list[tuple[int, str]]:
    """Where a body begins, and what ends it there."""
    suffix = suffix_of(path)
    masked = mask(path, text, strings=True)
    if len(masked) != len(text):
        return []
    forms = [form.replace("NAME", re.escape(name)) for form in _FORMS[suffix]]
    ends = {found.end() for form in forms for found in re.finditer(form, masked, re.MULTILINE)}
    found: dict[int, str] = {}
    for end in ends:
        if suffix == ".rb":
            found[end] = _NOTHING[".rb"]
            continue
        body = _BODY.match(masked, _behind_brackets(masked, end))
        if (
            body is not None
            and not _ENDS.match(masked, body.end())
            and (written := _nothing(suffix, body["type"])) is not None
        ):
            found[body.end()] = written
    return list(found.items())


def _behind_brackets(masked: str, start: int) -> int:
    depth = 0
    for place in range(start, min(len(masked), start + 2_000)) if masked[start : start + 1] == "(" else ():
        depth += {"(": 1, ")": -1}.get(masked[place], 0)
        if not depth:
            return place + 1
    return start


def _nothing(suffix: str, type: str | None) -> str | None:
    if suffix != ".php" or type is None:
        return _NOTHING.get(suffix, " return;")
    spelled = type.strip()
    value = "null" if spelled.startswith("?") or "null" in spelled.lower() else _OF_TYPE.get(spelled.lower())
    return None if value is None else f" return {value};" if value else " return;"
