"""Which files are mapped, and in which language each is written: by the path alone."""

from __future__ import annotations

import re

OTHER = "other"
# Of the sources of this schema, and the work areas of the languages that came with it.
_EXCLUDED = (
    "node_modules dist .git build coverage .next __pycache__ .venv vendor .autopilot .tox .nox .mypy_cache "
    ".ruff_cache .pytest_cache .gradle .idea .svn .hg bower_components site-packages target .nuxt .turbo .eggs"
)
EXCLUDED_FOLDERS = frozenset(_EXCLUDED.split())
_BY_SUFFIX = {
    "python": ".py .pyi .pyw",
    "javascript": ".js .mjs .cjs .jsx",
    "typescript": ".ts .mts .cts",
    "tsx": ".tsx",
    "go": ".go",
    "rust": ".rs",
    "java": ".java",
    "c": ".c .h",
    "cpp": ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .tpp .cu .cuh",
    "csharp": ".cs",
    "ruby": ".rb .rake .gemspec .ru",
    "php": ".php .phtml",
    "kotlin": ".kt .kts",
    "swift": ".swift",
    "scala": ".scala .sc",
    "bash": ".sh .bash .bats .ksh",
    "lua": ".lua",
    "elixir": ".ex .exs",
    "haskell": ".hs",
    "ocaml": ".ml",
    "zig": ".zig",
    "dart": ".dart",
    "julia": ".jl",
    "perl": ".pl .pm .t",
    "markdown": ".md .markdown .mdx",
    "json": ".json .jsonc .json5",
}
_SUFFIXES = {suffix: language for language, suffixes in _BY_SUFFIX.items() for suffix in suffixes.split()}
_NAMES = {"package.json": "npm", "cargo.toml": "cargo", "rakefile": "ruby", "gemfile": "ruby", "vagrantfile": "ruby"}
_MINIFIED_NAME = re.compile(r"[.-]min\.(?:js|mjs|cjs|css)$|[.-]bundle\.js$", re.IGNORECASE)


def language_of(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and name not in _NAMES:
        return _SUFFIXES.get(f".{suffix}", OTHER)
    return _NAMES.get(name, OTHER)


def is_mapped(path: str) -> bool:
    """Whether no folder on the way to the file is one of those that hold no sources."""
    return EXCLUDED_FOLDERS.isdisjoint(path.split("/")[:-1])


def is_named_minified(path: str) -> bool:
    return _MINIFIED_NAME.search(path) is not None
