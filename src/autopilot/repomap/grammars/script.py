"""JavaScript and TypeScript, with and without JSX."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Export, ExportKind, Import
from autopilot.repomap.grammar import Grammar, Visibility
from autopilot.repomap.grammars.common_js import read_assigned, read_called
from autopilot.repomap.grammars.reading import children, line_of, text_of, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

_QUERY = """
[(function_declaration) (generator_function_declaration) (function_signature)
 (method_definition) (method_signature) (abstract_method_signature)] @function
(variable_declarator name: (identifier) value: [(arrow_function) (function_expression) (generator_function)]) @function
(public_field_definition value: [(arrow_function) (function_expression) (generator_function)]) @function
[(class_declaration) (abstract_class_declaration) (interface_declaration) (enum_declaration)
 (type_alias_declaration) (internal_module) (module)] @class
(class name: (_)) @class
(class !name) @scope
[(import_statement) (import_alias)] @import
(call_expression function: (import) arguments: (arguments . (string))) @import
((call_expression function: (identifier) @_r arguments: (arguments . (string))) @import (#eq? @_r "require"))
(call_expression function: [(identifier) (member_expression) (super)] @call)
(call_expression function: (non_null_expression [(identifier) (member_expression)] @call))
(new_expression constructor: [(identifier) (member_expression)] @call)
(export_statement) @export
(ERROR) @error
(expression_statement (assignment_expression left: (member_expression) @export))
((expression_statement (assignment_expression left: (identifier) @export)) (#eq? @export "exports"))
"""
_JSX = """
(jsx_opening_element name: (_) @call)
(jsx_self_closing_element name: (_) @call)
"""
_KINDS = {
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "class": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "type_alias_declaration": "type",
    "internal_module": "namespace",
    "module": "namespace",
}
_EXPORT_KINDS = {
    "function_declaration": ExportKind.FUNCTION,
    "generator_function_declaration": ExportKind.FUNCTION,
    "function_signature": ExportKind.FUNCTION,
    "class_declaration": ExportKind.CLASS,
    "abstract_class_declaration": ExportKind.CLASS,
    "interface_declaration": ExportKind.INTERFACE,
    "enum_declaration": ExportKind.ENUM,
    "type_alias_declaration": ExportKind.TYPE,
}


_PLAIN_IMPORT = re.compile(
    rb"import (?:type )?(?:\{(?![^}]{0,2000}\btype as\b)([\w\s,$]{0,2000})\}|\* as ([\w$]+)|(?!type\b)([\w$]+))"
    rb" from (?:'([^'\\\n]{0,300})'|\"([^\"\\\n]{0,300})\");?"
)


def read_import(node: Node, text: bytes) -> Iterator[Import]:
    line = line_of(node)
    if plain := _PLAIN_IMPORT.fullmatch(text, *node.byte_range):
        yield _plain_import(plain, line)
    elif node.type == "call_expression":
        yield read_called(node, text)
    elif node.type == "import_statement":
        source = node.child_by_field_name("source")
        pairs = []
        for child in node.named_children:
            if child.type == "import_clause":
                pairs = list(_clause(child, text))
            elif child.type == "import_require_clause":
                source = source or child.child_by_field_name("source")
                pairs = [("*", text_of(child.named_children[0], text))]
        yield _imported(unquoted(source, text), pairs, line)


def _plain_import(plain: re.Match[bytes], line: int) -> Import:
    listed, whole, default, *quoted = plain.groups()
    source = (quoted[0] if quoted[0] is not None else quoted[1]).decode("utf-8", "replace")
    if listed is None:
        return _imported(source, [("*", whole.decode()) if whole else ("default", default.decode())], line)
    words = [part.removeprefix("type ").split() for part in map(str.strip, listed.decode().split(",")) if part]
    return _imported(source, [(part[0], part[-1]) for part in words], line)


def _imported(source: str, pairs: list[tuple[str, str]], line: int, *, is_export: bool = False) -> Import:
    names, bound = tuple(name for name, _ in pairs), tuple(alias for _, alias in pairs)
    return Import(source, names, bound, line, is_export)


def _clause(clause: Node, text: bytes) -> Iterator[tuple[str, str]]:
    for child in clause.named_children:
        if child.type == "identifier":
            yield "default", text_of(child, text)
        elif child.type == "namespace_import":
            yield "*", text_of(child.named_children[-1], text)
        elif child.type == "named_imports":
            yield from (_specifier(item, text) for item in child.named_children if item.type == "import_specifier")


def _specifier(item: Node, text: bytes) -> tuple[str, str]:
    name, alias = (item.child_by_field_name(field) for field in ("name", "alias"))
    spelled = unquoted(name, text)
    return spelled, unquoted(alias, text) or spelled


def read_export(node: Node, text: bytes) -> Iterator[Export | Import]:
    """What an ``export`` statement exports; with a source it imports, too."""
    if node.type in ("member_expression", "identifier"):
        yield from read_assigned(node, text)
        return
    if node.parent is None or node.parent.type != "program":
        return  # of a namespace: not of the file
    source, declaration = (node.child_by_field_name(field) for field in ("source", "declaration"))
    line = line_of(declaration or node)  # decorators stand before it
    is_default = any(child.type == "default" for child in node.children)
    pairs: list[tuple[str, str]] = []
    for child in node.named_children:
        if child.type == "export_clause":
            pairs += [_specifier(item, text) for item in child.named_children if item.type == "export_specifier"]
        elif child.type == "namespace_export":
            pairs.append(("*", text_of(child.named_children[0], text)))
    if source is not None:
        yield _imported(unquoted(source, text), pairs or [("*", "*")], line, is_export=True)
    for name, bound in pairs:
        of = name if source is None and name != bound else ""
        yield Export(bound, _default_or(bound, ExportKind.CONST), line, of)
    if is_default or any(child.type == "=" for child in node.children):  # ``export = x``
        named = [child for child in node.named_children if child.type == "identifier"]
        yield Export("default", ExportKind.DEFAULT, line, text_of(named[0], text) if named else "")
    elif declaration is not None:
        yield from _declared(declaration, text)


def _default_or(name: str, kind: ExportKind) -> ExportKind:
    return ExportKind.DEFAULT if name == "default" else kind


def _declared(node: Node, text: bytes) -> Iterator[Export]:
    if node.type == "ambient_declaration":
        for child in children(node):
            yield from _declared(child, text)
    elif node.type in ("lexical_declaration", "variable_declaration"):
        for child in node.named_children:
            if child.type == "variable_declarator":
                value = child.child_by_field_name("value")
                is_function = value is not None and "function" in value.type
                kind = ExportKind.FUNCTION if is_function else ExportKind.CONST
                yield from (
                    Export(name, kind, line_of(child)) for name in _names(child.child_by_field_name("name"), text)
                )
    elif (name := node.child_by_field_name("name")) is not None:
        yield Export(
            unquoted(name, text).partition(".")[0], _EXPORT_KINDS.get(node.type, ExportKind.CONST), line_of(name)
        )


def _names(pattern: Node | None, text: bytes) -> list[str]:
    """What ``{ a, b: c, d = 1, ...e }`` and ``[a, b]`` bind."""
    if pattern is None or pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
        return [text_of(pattern, text)]
    if pattern.type == "pair_pattern":
        return _names(pattern.child_by_field_name("value"), text)
    if pattern.type in ("assignment_pattern", "object_assignment_pattern"):
        return _names(pattern.child_by_field_name("left"), text)
    return [name for child in children(pattern) for name in _names(child, text)]


_VARIANCE = re.compile(rb"([<,]\s*(?:const\s+)?)(in\s+out|in|out)(?=\s+(?!as\b)[A-Za-z_$])")
_NAMED_TYPE = re.compile(rb"([<,]\s*)type(?=\s+extends\b)")
_NEXT_LINE = re.compile(rb"\n[ \t]*[ \t](?=<)")
_GOES_ON = (b"=", b"|", b"&", b"(", b",", b"<", b"{", b"?", b":", b"=>")


def _repair(text: bytes) -> bytes:
    """Without ``in`` and ``out`` before type parameters, none of which is called ``type``; without quotes in templates;
    with a semicolon before a call signature in a new line."""
    text = _NAMED_TYPE.sub(rb"\1Type", text.replace(b"\\`", b"  "))
    text = _VARIANCE.sub(lambda found: found[1] + b" " * len(found[2]), text)
    return _NEXT_LINE.sub(_separate, text)


def _separate(found: re.Match[bytes]) -> bytes:
    before = found.string[max(0, found.start() - 80) : found.start()].rstrip()
    return found[0] if before.endswith(_GOES_ON) else found[0][:-1] + b";"


_VARIANCE_SIGN = rb"<(?:in|out) "
# A call signature in a new line; where there is JSX it would be an element nearly always.
_SIGNATURE_SIGN = rb"[\w\])}>;\"'/]\n[ \t]+<\w"


def _grammar(factory: str, query: str, signs: re.Pattern[bytes]) -> Grammar:
    return Grammar(
        module="tree_sitter_typescript",
        factory=factory,
        query=query,
        params=("parameters", "parameter"),
        extends=("#class_heritage", "#extends_type_clause"),
        kinds=_KINDS,
        visibility=Visibility.LISTED,
        read_import=read_import,
        read_export=read_export,
        not_called=frozenset({"require"}),
        repair=_repair,
        repaired_at_once=signs,
    )


TYPESCRIPT = _grammar("language_typescript", _QUERY, re.compile(_VARIANCE_SIGN + b"|" + _SIGNATURE_SIGN))
TSX = _grammar("language_tsx", _QUERY + _JSX, re.compile(_VARIANCE_SIGN))
