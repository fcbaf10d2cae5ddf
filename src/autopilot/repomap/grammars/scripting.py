"""Ruby, PHP, Lua and Bash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from autopilot.model.repomap.facts import Import
from autopilot.repomap.grammar import Grammar, Visibility
from autopilot.repomap.grammars.reading import children, line_of, text_of, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

_RUBY_QUERY = """
[(method) (singleton_method)] @function
[(class) (module)] @class
((call method: (identifier) @_m arguments: (argument_list . (string))) @import
 (#any-of? @_m "require" "require_relative" "load" "autoload"))
((call method: (identifier) @_a arguments: (argument_list . (simple_symbol) . (string))) @import
 (#eq? @_a "autoload"))
(call method: [(identifier) (constant)] @call)
(identifier) @bare
(program (assignment left: (constant) @const))
"""


_MIXING = frozenset({"include", "extend", "prepend"})
_CONSTANTS = frozenset({"constant", "scope_resolution"})


def _mixed_in(node: Node, text: bytes) -> tuple[str, ...]:
    """The modules whose methods a class or module has: ``include A, B::C``."""
    body = node.child_by_field_name("body")
    found: list[str] = []
    for child in body.named_children if body is not None else ():
        method = child.child_by_field_name("method") if child.type == "call" else None
        arguments = child.child_by_field_name("arguments") if method is not None else None
        if arguments is not None and text_of(method, text) in _MIXING:
            found += (text_of(one, text) for one in arguments.named_children if one.type in _CONSTANTS)
    return tuple(found)


def _ruby_import(node: Node, text: bytes) -> Iterator[Import]:
    arguments = node.child_by_field_name("arguments")
    named = next((child for child in arguments.named_children if child.type == "string"), None) if arguments else None
    source = unquoted(named, text)
    if text_of(node.child_by_field_name("method"), text) == "require_relative" and not source.startswith("."):
        source = f"./{source}"
    yield Import(source, ("*",), (), line_of(node))


RUBY = Grammar(
    module="tree_sitter_ruby",
    query=_RUBY_QUERY,
    returns=(),
    extends=("superclass",),
    read_bases=_mixed_in,
    exports_inner=True,
    kinds={"module": "module", "class": "class"},
    separator="::",
    read_import=_ruby_import,
    looks_back=True,
    not_called=frozenset({"require", "require_relative", "load", "autoload"}),
)

_PHP_QUERY = """
[(function_definition) (method_declaration)] @function
[(class_declaration) (interface_declaration) (trait_declaration) (enum_declaration)] @class
[(namespace_use_declaration) (require_expression) (require_once_expression) (include_expression)
 (include_once_expression)] @import
(function_call_expression function: [(name) (qualified_name)] @call)
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [(name) (qualified_name)] @call)
(anonymous_class) @scope
(namespace_definition name: (_) @package)
(program (const_declaration (const_element (name) @const)))
"""


def _traits(node: Node, text: bytes) -> tuple[str, ...]:
    """``use Counting;`` in a class."""
    body = node.child_by_field_name("body")
    used = [child for child in body.named_children if child.type == "use_declaration"] if body is not None else []
    names = [name for one in used for name in one.named_children if name.type in ("name", "qualified_name")]
    return tuple(text_of(name, text).rpartition("\\")[2] for name in names)


def _php_import(node: Node, text: bytes) -> Iterator[Import]:
    line = line_of(node)
    if node.type != "namespace_use_declaration":
        file = node.named_children[0] if node.named_children else None
        while file is not None and file.type in ("binary_expression", "parenthesized_expression"):
            file = file.named_children[-1]  # ``__DIR__ . "/a.php"``: what stands before it is only known at run time
        if file is not None and file.type in ("string", "encapsed_string"):
            yield Import(f"./{unquoted(file, text).lstrip('./')}", ("*",), (), line)
        return
    group = next((child for child in node.named_children if child.type == "namespace_use_group"), None)
    prefix = text_of(next((c for c in node.named_children if c.type == "namespace_name"), None), text)
    for clause in children(group or node):
        if clause.type != "namespace_use_clause":
            continue
        whole = next((c for c in clause.named_children if c.type in ("qualified_name", "name", "namespace_name")), None)
        used = "\\".join(part for part in (prefix, text_of(whole, text).strip("\\")) if part)
        source, _, name = used.rpartition("\\")
        yield Import(source, (name,), (text_of(clause.child_by_field_name("alias"), text) or name,), line)


PHP = Grammar(
    module="tree_sitter_php",
    factory="language_php",
    query=_PHP_QUERY,
    extends=("#base_clause", "#class_interface_clause"),
    read_bases=_traits,
    kinds={"interface_declaration": "interface", "trait_declaration": "trait", "enum_declaration": "enum"},
    read_import=_php_import,
    looks_back=True,
    not_called=frozenset({"static", "self", "parent"}),  # ``new static``
)

_LUA_QUERY = """
(function_declaration) @function
(assignment_statement (variable_list . name: (_)) (expression_list . value: (function_definition))) @function
((function_call name: (identifier) @_r) @import (#eq? @_r "require"))
(function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @call)
"""


def _lua_name(node: Node, text: bytes) -> str:
    named = node.child_by_field_name("name")
    if named is None and node.named_children:
        named = next(iter(node.named_children[0].named_children), None)
    return text_of(named, text).replace(":", ".") if named is not None else ""


def _lua_params(node: Node, text: bytes) -> tuple[str, ...]:
    holder = node.child_by_field_name("parameters")
    if holder is None and len(node.named_children) > 1:
        value = next(iter(node.named_children[1].named_children), None)
        holder = value.child_by_field_name("parameters") if value is not None else None
    return tuple(text_of(child, text) for child in children(holder)) if holder is not None else ()


def _lua_import(node: Node, text: bytes) -> Iterator[Import]:
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_children:
        return
    around = node.parent.parent if node.parent is not None else None
    names: list[str] = []
    if around is not None and around.type == "assignment_statement" and around.named_children:
        names = [text_of(name, text) for name in around.named_children[0].named_children[:1]]
    source = unquoted(arguments.named_children[0], text).strip("[]")
    yield Import(source, ("*",), tuple(names), line_of(node))


LUA = Grammar(
    module="tree_sitter_lua",
    query=_LUA_QUERY,
    returns=(),
    visibility=Visibility.NOT_LOCAL,
    exports_members=True,
    read_import=_lua_import,
    read_name=_lua_name,
    read_params=_lua_params,
    not_called=frozenset({"require"}),
)

_BASH_QUERY = """
(function_definition) @function
((command name: (command_name (word) @_n) . argument: (_)) @import (#any-of? @_n "source" "."))
(command name: (command_name (word) @call))
(program (variable_assignment name: (variable_name) @const))
(program (declaration_command (variable_assignment name: (variable_name) @const)))
"""


def _bash_import(node: Node, text: bytes) -> Iterator[Import]:
    argument = node.child_by_field_name("argument")
    # What a variable or a command stands for is only known when the script runs.
    source = unquoted(argument, text).rpartition("}/")[2].rpartition(")/")[2]
    _, sign, after = source.rpartition("$")
    source = after.partition("/")[2] if sign and "/" in after else source
    yield Import(f"./{source.removeprefix('./')}", ("*",), (), line_of(node))


BASH = Grammar(
    module="tree_sitter_bash",
    query=_BASH_QUERY,
    params=(),
    returns=(),
    read_import=_bash_import,
    names_are_whole=True,
    not_called=frozenset({"source", "."}),
)
