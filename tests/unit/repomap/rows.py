"""The facts of a file as lines of text, to be read and compared."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.repomap.facts import FileFacts


def rows_of(facts: FileFacts) -> list[str]:
    return [*_head(facts), *_statements(facts), *_definitions(facts), *_calls(facts)]


def _head(facts: FileFacts) -> Iterator[str]:
    yield f"language {facts.language}, {facts.lines} lines"
    if facts.package:
        yield f"package {facts.package}"
    yield from (f"problem {problem.value}" for problem in facts.problems)


def _statements(facts: FileFacts) -> Iterator[str]:
    for item in facts.imports:
        names = [f"{a} as {b}" if a != b else a for a, b in zip(item.names, item.bound, strict=False)] or item.names
        yield f"{item.line}: {'re-export' if item.is_export else 'import'} {item.source} ({', '.join(names)})"
    for export in facts.exports:
        yield f"{export.line}: export {export.kind.value} {export.name}{f' of {export.of}' if export.of else ''}"


def _definitions(facts: FileFacts) -> Iterator[str]:
    for cls in facts.classes:
        extends = f" extends {', '.join(cls.extends)}" if cls.extends else ""
        methods = f" has {', '.join(cls.methods)}" if cls.methods else ""
        yield f"{cls.line}-{cls.end_line}: {cls.kind} {_whole(cls.owner, cls.name)}{extends}{methods}"
    for item in facts.functions:
        kind, returns = "method" if item.is_method else "function", f" -> {item.returns}" if item.returns else ""
        signature = f"{_whole(item.owner, item.name)}({'; '.join(item.params)}){returns}"
        yield f"{item.line}-{item.end_line}: {kind} {signature}"


def _calls(facts: FileFacts) -> Iterator[str]:
    for call in facts.calls:
        times = f" {call.count} times" if call.count > 1 else ""
        yield f"{call.line}: {call.within or 'the file'} calls {_whole(call.receiver, call.name)}{times}"


def _whole(owner: str, name: str) -> str:
    return f"{owner}.{name}" if owner else name
