"""The row of a language: which grammar reads it, which of its nodes count, and where their parts are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from autopilot.model.repomap.facts import Export, Import

if TYPE_CHECKING:
    from tree_sitter import Node

    ReadImport: TypeAlias = Callable[[Node, bytes], Iterable[Import]]
    ReadExport: TypeAlias = Callable[[Node, bytes], Iterable[Export | Import]]
    ReadName: TypeAlias = Callable[[Node, bytes], str]
    ReadParams: TypeAlias = Callable[[Node, bytes], tuple[str, ...]]
    IsNoCall: TypeAlias = Callable[[Node, bytes], bool]
    Repair: TypeAlias = Callable[[bytes], bytes]
else:
    ReadImport = ReadExport = ReadName = ReadParams = IsNoCall = Repair = Callable


class Visibility(Enum):
    """Which definitions at the top of a file other files can use."""

    ALL = auto()
    NO_UNDERSCORE = auto()
    CAPITAL = auto()
    KEYWORD_PUB = auto()
    NOT_PRIVATE = auto()  # ``private`` does not stand before it
    NOT_STATIC = auto()  # ``static`` does not stand before it
    NOT_LOCAL = auto()  # ``local`` does not stand before it
    LISTED = auto()  # by statements of their own


class Grammar(Struct, frozen=True):
    """``query``: tree-sitter's, with these captures.

    ``function``, ``class``: a definition. ``scope``: makes what is inside a member, and
    defines nothing (``impl``); ``space``: a module, the same without members.
    ``import``: a statement for ``read_import``. ``call``: the expression that is called; ``loose_call``: the name of
    one among tokens that the grammar does not structure, as in a macro of Rust; ``bare``: a name that may be a call.
    ``const``: the name of a value at the top. ``export``: a statement that exports. ``package``: the name of the
    package or module of the file.
    """

    module: str
    query: str
    factory: str = "language"
    # Where the parts of a definition are: fields; "#" or "$" and the kind of the first or last child; "*" and that of
    # several.
    name: tuple[str, ...] = ("name",)
    separator: str = ""  # of owners inside a name, where one can be spelled so: ``class A::B``
    params: tuple[str, ...] = ("parameters",)
    returns: tuple[str, ...] = ("return_type",)
    extends: tuple[str, ...] = ()
    kinds: Mapping[str, str] = {}  # of classes: the language's word by the kind of the node; "class" otherwise
    # By capture: the plainest spelling of a definition from its first byte on; name, parameters or bases, and returns.
    plain: Mapping[str, re.Pattern[bytes]] = {}
    visibility: Visibility = Visibility.ALL
    read_import: ReadImport | None = None
    # For names that are not one part: the name with its owners, "" to leave the definition out.
    read_name: ReadName | None = None
    # For parameters that have no part of their own around them.
    read_params: ReadParams | None = None
    read_bases: ReadParams | None = None  # that stand in the body of a class, added to ``extends``
    read_export: ReadExport | None = None
    exports_members: bool = False  # also what stands at the top under the name of an owner: ``function M.f()``
    exports_inner: bool = False  # also classes in classes, with their owners: of Ruby a module is no more than a name
    looks_back: bool = False  # the captured name of a call stands alone: what it is called on stands before it
    self_is_named: re.Pattern[bytes] | None = None  # at the beginning of a method: what it calls what it is called on
    names_are_whole: bool = False  # ``lib::f`` is one name, not ``f`` of ``lib``
    not_called: frozenset[str] = frozenset()  # words that look like calls
    is_no_call: IsNoCall | None = None
    # Of a text with errors: the same with what the grammar does not know yet blanked out, every byte at its place.
    repair: Repair | None = None
    repaired_at_once: re.Pattern[bytes] | None = None  # a text with this in it is not tried as it is first
