"""Where the function of an example is defined, among the files that a phase changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from autopilot.model.evidence.example import Example, Language, Place
from autopilot.text.python_tree import python_tree

_LANGUAGES = {".py": Language.PYTHON, ".js": Language.NODE, ".mjs": Language.NODE, ".cjs": Language.NODE}
# A call of what such a decorator makes is not a call of the function.
_CHANGES_CALLS = re.compile(
    r"@(?:[\w.]+\.)?(?:command|group|route|get|post|put|delete|patch|websocket|fixture|task|property|contextmanager|"
    r"asynccontextmanager|overload|callback|event|on_event)\b"
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?<![:\"'\w])//[^\n]*", re.DOTALL)
_LONGEST = 400_000


def locate(example: Example, files: Mapping[str, str]) -> Place | None:
    """None where it is in no file or in several, or where it cannot be called from outside."""
    found = [
        Place(path, example.called, language)
        for path, text in files.items()
        if (language := _LANGUAGES.get(PurePosixPath(path).suffix))
        and len(text) <= _LONGEST
        and _is_hinted(path, example.module)
        and _offers(language, text, example)
    ]
    return found[0] if len(found) == 1 else None


def defined(place: Place, text: str) -> str:
    """The text of the function there; all of it where only the whole file can be told."""
    tree = python_tree(text) if place.language is Language.PYTHON else None
    found = [
        ast.get_source_segment(text, node) or ""
        for node in (tree.body if tree else ())
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == place.function
    ]
    return found[0] if found else text


def _is_hinted(path: str, module: str) -> bool:
    """Whether the words before the function are folders or the name of this file, in that order."""
    parts: Iterator[str] = iter(PurePosixPath(path).with_suffix("").parts)
    return all(word in parts for word in module.split(".")) if module else True


def _offers(language: Language, text: str, example: Example) -> bool:
    if example.owner:
        return _has_method(language, text, example)
    if language is Language.PYTHON:
        return _defines(text, example.function)
    # JavaScript has no arguments by name.
    return not example.keywords and _exports(_COMMENT.sub(" ", text), example.function)


def _has_method(language: Language, text: str, example: Example) -> bool:
    """Of a class at the top level; one that a base class has is found nowhere here."""
    if language is Language.PYTHON:
        tree = python_tree(text)
        classes = [node for node in (tree.body if tree else ()) if isinstance(node, ast.ClassDef)]
        methods = [node for found in classes if found.name == example.owner for node in found.body]
        return any(isinstance(node, ast.FunctionDef) and node.name == example.function for node in methods)
    code = _COMMENT.sub(" ", text)
    word = re.escape(example.owner)
    direct = re.search(rf"^[ \t]*export\s+(?:default\s+)?class\s+{word}\b", code, re.MULTILINE)
    is_exported = direct is not None or _exports(code, example.owner)
    return (
        is_exported and not example.keywords and re.search(rf"\b{re.escape(example.function)}\s*\(", code) is not None
    )


def _defines(text: str, name: str) -> bool:
    found = re.search(
        rf"((?:^@[^\n]*\n){{0,20}})^(?:async[ \t]+)?def[ \t]+{re.escape(name)}[ \t]*[(\[]", text, re.MULTILINE
    )
    return found is not None and not _CHANGES_CALLS.search(found[1])


def _exports(text: str, name: str) -> bool:
    word = re.escape(name)
    listed = rf"(?<![\w$.])(?:[\w$]+\s+as\s+)?{word}\s*(?:[,}}:(])"
    forms = (
        rf"^[ \t]*export\s+(?:default\s+)?(?:async\s+)?function\s*\*?\s*{word}\s*\(",
        rf"^[ \t]*export\s+(?:const|let|var)\s+{word}\s*=",
        rf"^[ \t]*export\s*\{{[^{{}}]{{0,4000}}?{listed}",
        rf"\bmodule\.exports\s*=\s*\{{[^}}]{{0,4000}}?{listed}",
        rf"\bmodule\.exports\s*=\s*(?:async\s+)?(?:function\s+)?{word}\b",
        rf"\bexports\.{word}\s*=",
    )
    return any(re.search(form, text, re.MULTILINE) for form in forms)
