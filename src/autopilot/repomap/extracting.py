"""A text of source code to its facts: one walk over what the query of its language found."""

from __future__ import annotations

from autopilot.model.repomap.facts import Export, FileFacts, Import, Problem
from autopilot.repomap.calls import read_calls
from autopilot.repomap.definitions import Definitions, read_definitions
from autopilot.repomap.exporting import read_exports
from autopilot.repomap.grammars import cargo_packages, npm_packages
from autopilot.repomap.grammars.bare_names import bare_calls
from autopilot.repomap.grammars.reading import text_of
from autopilot.repomap.grammars.table import GRAMMARS
from autopilot.repomap.parsing import Captures, IsSpent, NoGrammar, after_four, in_order, parse
from autopilot.repomap.python_reading import read_python
from autopilot.repomap.unreadable import as_utf8, find_problem

VERSION = 5  # of what is extracted; facts of another version are made again


def extract(text: bytes, language: str, is_spent: IsSpent = after_four) -> FileFacts:
    """Never raises for what a text says: what cannot be read is left out, and the problem named."""
    lines = text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
    if problem := find_problem(text, language):
        return FileFacts(language, lines, problems=(problem,))
    if language == npm_packages.LANGUAGE:
        return npm_packages.read_package(text, lines)
    if language == cargo_packages.LANGUAGE:
        return cargo_packages.read_package(text, lines)
    if language not in GRAMMARS:
        return FileFacts(language, lines)
    text, is_replaced = as_utf8(text, language)
    try:
        facts = _facts(text, language, lines, is_spent)
    except NoGrammar:
        return FileFacts(language, lines, problems=(Problem.NO_GRAMMAR,))
    if is_replaced:
        from msgspec.structs import replace

        return replace(facts, problems=(Problem.NOT_UTF8, *facts.problems))
    return facts


def _facts(text: bytes, language: str, lines: int, is_spent: IsSpent) -> FileFacts:
    parsed = parse(text, language, is_spent)
    if parsed is None:
        return FileFacts(language, lines, problems=(Problem.TIMED_OUT,))
    tree, captures = parsed
    is_broken = tree.root_node.has_error
    if is_broken and language == "python" and (facts := read_python(text, lines)) is not None:
        return facts  # the grammar is wrong about it, not the text
    definitions = read_definitions(captures, text, GRAMMARS[language])
    imports, exports = _statements(captures, text, language, definitions)
    packages = in_order(captures, "package")
    named = packages if language == "scala" else packages[:1]  # ``package a`` and below it ``package b``: in ``a.b``
    facts = FileFacts(
        language,
        lines,
        exports,
        imports,
        definitions.functions,
        definitions.classes,
        read_calls(captures, text, definitions.scopes, GRAMMARS[language], bare_calls(captures, text, definitions)),
        (Problem.SYNTAX,) if is_broken else (),
        ".".join(text_of(node, text) for node in named)[:200],
    )
    del captures, tree
    return facts


def _statements(
    captures: Captures, text: bytes, language: str, definitions: Definitions
) -> tuple[tuple[Import, ...], tuple[Export, ...]]:
    grammar = GRAMMARS[language]
    imports: list[Import] = []
    exports: list[Export] = []
    if grammar.read_import:
        for node in in_order(captures, "import"):
            imports.extend(grammar.read_import(node, text))
    if grammar.read_export:
        for node in in_order(captures, "export"):
            for found in grammar.read_export(node, text):
                if isinstance(found, Import):
                    imports.append(found)
                else:
                    exports.append(found)
    exports.extend(read_exports(captures, text, grammar, definitions))
    return tuple(sorted(imports, key=_line)), tuple(sorted(exports, key=_line))


def _line(row: Import | Export) -> int:
    return row.line
