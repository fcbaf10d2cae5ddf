"""What one text of source code defines, imports and calls. It knows no path: the same text has the same facts."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Problem(StrEnum):
    """Why the facts of a file are not all that could be said of it."""

    SYNTAX = "syntax errors"  # what could be read in spite of them is there
    TIMED_OUT = "timed out"
    CRASHED = "crashes the parser or holds it up"  # and is not tried again
    TOO_LARGE = "too large"
    MINIFIED = "minified or generated"
    BINARY = "binary"
    NOT_UTF8 = "not UTF-8"  # read with the characters that are none replaced
    NO_GRAMMAR = "no grammar installed"


class ExportKind(StrEnum):
    FUNCTION = "function"
    CLASS = "class"
    CONST = "const"
    DEFAULT = "default"
    TYPE = "type"
    INTERFACE = "interface"
    ENUM = "enum"


class Export(Struct, frozen=True, array_like=True, gc=False):
    name: str
    kind: ExportKind
    line: int
    of: str = ""  # what the file itself calls it, where that is another name: ``export { a as b }``


class Import(Struct, frozen=True, array_like=True, gc=False):
    """``names`` as the other file calls them, ``bound`` as this one does; both of one length where names are listed.

    All of a module by one name (``import a.b as c``, ``import * as c from "a"``): names ``("*",)``, bound ``("c",)``.
    All of its names (``from a import *``, ``#include "a.h"``): names ``("*",)``, bound ``()``.
    For its effect alone (``import "./a"``): both ``()``. A Python module (``import a.b``): ``("*",)``, ``("a.b",)``.
    """

    source: str  # as it is spelled: "./other", "..base.models", "fmt", "crate::a::b"
    names: tuple[str, ...]
    bound: tuple[str, ...]
    line: int
    is_export: bool = False  # hands the names on: ``export { a } from "./b"``, ``pub use``


class Function(Struct, frozen=True, array_like=True, gc=False):
    name: str
    params: tuple[str, ...]  # as they are spelled, with types and defaults
    returns: str  # the type as it is spelled; "" where none is
    line: int
    end_line: int
    owner: str = ""  # around it, joined by dots: "Class", "outer", "Class.method"; "" at the top
    is_method: bool = False  # the owner is a class


class Class(Struct, frozen=True, array_like=True, gc=False):
    """Also a struct, trait, interface, enum, module: whatever has members. ``kind`` is the language's own word."""

    name: str
    kind: str
    extends: tuple[str, ...]
    methods: tuple[str, ...]
    line: int
    end_line: int
    owner: str = ""


class Call(Struct, frozen=True, array_like=True, gc=False):
    """Every call of one name in one function, once."""

    name: str
    receiver: str  # before the last dot: "self", "models.Manager"; "" for a plain name, "?" for more than names
    within: str  # the function or class around it, with its owners: "Class.method"; "" outside of any
    line: int  # of the first such call
    count: int = 1


class FileFacts(Struct, frozen=True, array_like=True):
    language: str  # "python", "typescript", …, "other"
    lines: int = 0
    exports: tuple[Export, ...] = ()
    imports: tuple[Import, ...] = ()
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    calls: tuple[Call, ...] = ()
    problems: tuple[Problem, ...] = ()
    package: str = ""  # the name under which others import it, where the text says it: Java, Go, Kotlin, C#, …
