"""The map as a JSON document, in the schema of the sources, cut down by its rules when it is too long."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

import msgspec

from autopilot.model.repomap.code_map import Links, RepoMap
from autopilot.model.repomap.facts import FileFacts

MOST_LINES = 500
_SCHEMA_LANGUAGES = {"tsx": "typescript"}
_TOP = 5
_MOST_CALLEES = 50


def render_document(repo_map: RepoMap, links: Links, root: str, generated_at: str, most_lines: int = MOST_LINES) -> str:
    """``most_lines``: 0 for the whole map."""
    callees = _callees(links)
    files = [_entry(path, facts, callees.get(path, {})) for path, facts in repo_map.files.items()]
    head = {"generated_at": generated_at, "project_root": root, "version": 1, "size_cap_applied": False}
    tail = {"summary": _summary(repo_map)}
    text = _dump({**head, "files": files, **tail})
    head["size_cap_applied"] = True
    for keys in (("functions", "classes", "call_graph"), ("imports",)):
        if not most_lines or _lines(text) <= most_lines:
            return text
        files = [{key: value for key, value in entry.items() if key not in keys} for entry in files]
        text = _dump({**head, "files": files, **tail})
    if not most_lines or _lines(text) <= most_lines:
        return text
    return _capped(head, tail, list(repo_map.files), most_lines)


def describe_cut(text: str) -> str:
    """What a rendered map lost because of its length; "" when it is whole."""
    document = msgspec.json.decode(text)
    if not document["size_cap_applied"]:
        return ""
    kept = document["files"][0] if document["files"] else {}
    if "imports" in kept:
        return "functions, classes and calls"
    return "functions, classes, calls and imports" if "exports" in kept else "everything but the summary and the paths"


def _capped(head: dict[str, Any], tail: dict[str, Any], paths: list[str], most_lines: int) -> str:
    """The summary and the paths; of more paths than there are lines for, several stand in one line."""
    rendered = _dump({**head, "files": [], **tail})
    room = max(1, most_lines - _lines(rendered) - 2)
    size = -(-len(paths) // room)
    rows = [", ".join(_dump_flat({"path": path}) for path in paths[i : i + size]) for i in range(0, len(paths), size)]
    listed = ",\n".join(f"    {row}" for row in rows)
    return rendered.replace('"files": []', f'"files": [\n{listed}\n  ]', 1)


def _dump(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def _dump_flat(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _lines(text: str) -> int:
    return text.count("\n")


def _entry(path: str, facts: FileFacts, callees: Mapping[str, list[tuple[int, str]]]) -> dict[str, Any]:
    exported = {item.name for item in facts.exports}
    entry: dict[str, Any] = {
        "path": path,
        "language": _SCHEMA_LANGUAGES.get(facts.language, facts.language),
        "exports": [{"name": item.name, "type": item.kind.value, "line": item.line} for item in facts.exports],
        "imports": [{"source": i.source, "names": list(i.names), "line": i.line} for i in facts.imports],
        "functions": [
            {"name": f.name, "params": list(f.params), "line": f.line, "returns": f.returns}
            for f in facts.functions
            if not f.owner or f.name in exported
        ],
        "classes": [
            {
                "name": c.name,
                "extends": ", ".join(c.extends) or None,
                "methods": [m for m in c.methods if not m.startswith("_") or m == "__init__"],
                "line": c.line,
            }
            for c in facts.classes
            if c.kind != "type"
        ],
        "call_graph": [
            {"caller": caller, "callees": list(dict.fromkeys(n for _, n in found))[:_MOST_CALLEES], "line": found[0][0]}
            for caller, found in callees.items()
        ],
    }
    if facts.problems:
        entry["partial"] = [problem.value for problem in facts.problems]
    return entry


def _callees(links: Links) -> dict[str, dict[str, list[tuple[int, str]]]]:
    found: dict[str, dict[str, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    for edge in links.calls:
        if edge.caller:
            found[edge.path][edge.caller].append((edge.line, edge.callee))
    return found


def _summary(repo_map: RepoMap) -> dict[str, Any]:
    files = repo_map.files
    languages = Counter(_SCHEMA_LANGUAGES.get(facts.language, facts.language) for facts in files.values())
    importers = Counter({path: len(facts.imports) for path, facts in files.items() if facts.imports})
    exporters = Counter({path: len(facts.exports) for path, facts in files.items() if facts.exports})
    return {
        "total_files": len(files),
        "languages": dict(languages.most_common()),
        "top_importers": [{"path": path, "import_count": count} for path, count in importers.most_common(_TOP)],
        "top_exporters": [{"path": path, "export_count": count} for path, count in exporters.most_common(_TOP)],
    }
