"""Every language that is read, by its name."""

from __future__ import annotations

from autopilot.repomap.grammar import Grammar
from autopilot.repomap.grammars import c_family, go_rust, jvm, python, script, scripting, swift_elixir

GRAMMARS: dict[str, Grammar] = {
    "python": python.GRAMMAR,
    # The TSX half reads plain JavaScript as well as a grammar of its own would (ADR 22).
    "javascript": script.TSX,
    "typescript": script.TYPESCRIPT,
    "tsx": script.TSX,
    "go": go_rust.GO,
    "rust": go_rust.RUST,
    "java": jvm.JAVA,
    "kotlin": jvm.KOTLIN,
    "scala": jvm.SCALA,
    "c": c_family.C,
    "cpp": c_family.CPP,
    "csharp": c_family.CSHARP,
    "ruby": scripting.RUBY,
    "php": scripting.PHP,
    "lua": scripting.LUA,
    "bash": scripting.BASH,
    "swift": swift_elixir.SWIFT,
    "elixir": swift_elixir.ELIXIR,
}
