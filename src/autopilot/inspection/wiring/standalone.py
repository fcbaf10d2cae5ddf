"""Files to which no other file must refer: a person, a tool or a framework finds them by their path."""

from __future__ import annotations

import re

from autopilot.text.file_kind import is_ours, is_test, suffix_of

FAMILIES = {
    "python": (".py",),
    "js": (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".astro"),
    "c": (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"),
    "go": (".go",),
    "rust": (".rs",),
    "style": (".css", ".scss", ".sass", ".less"),
    # Types are known by their name here, within a package even without an import.
    "named": (".java", ".kt", ".cs", ".rb", ".php", ".swift", ".scala", ".dart", ".lua", ".ex", ".groovy"),
}
FAMILY_OF = {suffix: family for family, suffixes in FAMILIES.items() for suffix in suffixes}
_ENTRIES = {
    "": {"index", "main", "app", "setup", "server"},
    "python": {
        *{"__init__", "__main__", "conftest", "manage", "wsgi", "asgi", "noxfile", "fabfile", "tasks", "admin", "apps"},
        *{"settings", "sitecustomize", "usercustomize"},
    },
    "js": {
        *{"page", "layout", "route", "loading", "error", "not-found", "template", "default", "middleware"},
        *{"gulpfile", "gruntfile", "sw", "service-worker", "instrumentation"},
    },
    "go": {"doc"},
    "rust": {"mod", "lib", "build"},
    "named": {"program", "application", "rakefile"},
}
_FOLDERS = frozenset(
    {
        "bin",
        "script",
        "scripts",
        "migrations",
        "migrate",
        "versions",
        "example",
        "examples",
        "bench",
        "benches",
        "benchmarks",
        "doc",
        "docs",
        "fixtures",
        "public",
        "static",
        "vendor",
        "third_party",
    }
)
_JS_FOLDERS = frozenset({"pages", "routes", "api", "plugins"})  # the common frameworks load them by their path
_NAME = re.compile(r"\..*|\+.*|.*\.(?:config|conf|stories|story|setup|d)\.\w+|.*\.gen\.\w+|.*_pb2(?:_grpc)?\.py")
_STARTS_ITSELF = re.compile(
    r"\A#!|^if __name__ == ['\"]__main__['\"]|^package main\b|\bstatic void main\s*\(|^(?:async )?fun main\s*\(|"
    r"^int main\s*\(|^fn main\s*\(",
    re.IGNORECASE | re.MULTILINE,
)


# In a comment of the file itself, where every reader of it finds the reason.
_REASON = re.compile(r"(?:^|[#/*;<!-]|--)[^\S\n]{0,8}standalone:[^\S\n]{0,8}\S[^\n]{9,}", re.IGNORECASE | re.MULTILINE)
_HEAD = 4_000  # characters in which the reason is looked for


def says_why(text: str) -> bool:
    """Whether a file says of itself why nothing refers to it."""
    return _REASON.search(text[:_HEAD]) is not None


def is_standalone(path: str, text: str) -> bool:
    """Everything that is not source in a language we can follow is: settings, documents, shell, assets."""
    *folders, name = path.split("/")
    family = FAMILY_OF.get(suffix_of(path), "")
    if not family or is_test(path) or is_ours(path) or _NAME.fullmatch(name):
        return True
    stem = name.partition(".")[0].lower()
    if stem in _ENTRIES[""] | _ENTRIES.get(family, set()):
        return True
    if not _FOLDERS.isdisjoint(folders) or any(folder.startswith(".") for folder in folders):
        return True
    if family == "js" and not _JS_FOLDERS.isdisjoint(folders):
        return True
    if family == "python" and folders[-2:] == ["management", "commands"]:
        return True
    return family != "style" and _STARTS_ITSELF.search(text) is not None
