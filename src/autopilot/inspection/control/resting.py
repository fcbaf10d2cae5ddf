"""What tests rest on and is no test: the data they read, and modules that they alone load.

A run opens product and judge alike, so that a file was opened says only that it matters. Whose it is, the pin tells:
what the product names, imports or finds in a folder that it names is the product's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from autopilot.inspection.control.behind import ReadText
from autopilot.inspection.control.kinds import control_kind
from autopilot.inspection.control.mixed import is_mixed
from autopilot.text.file_kind import is_document, is_template, is_test, suffix_of

_CODE = frozenset(
    [
        ".py",
        ".js",
        ".mjs",
        ".cjs",
        ".ts",
        ".tsx",
        ".jsx",
        ".mts",
        ".cts",
        ".go",
        ".rs",
        ".rb",
        ".php",
        ".pl",
        ".pm",
        ".sh",
        ".bash",
        ".bats",
        ".t",
        ".java",
        ".kt",
        ".c",
        ".h",
        ".cc",
        ".cpp",
        ".cs",
        ".swift",
        ".ex",
        ".exs",
        ".lua",
        ".scala",
        ".vue",
        ".svelte",
    ]
)
_COMPARED = frozenset(
    [".out", ".expected", ".golden", ".approved", ".snap", ".txt", ".json", ".csv", ".tsv", ".xml", ".html", ".yaml"]
)
_FRONTS = frozenset({"__init__", "__main__", "index", "main", "mod", "lib"})


def data_of_tests(
    changed: Collection[str], paths: Collection[str], read: ReadText, opened: Collection[str]
) -> Iterator[str]:
    """Files that tests read, and that no code of the product names, nor the folder they are in.

    ``opened``: what their run opened at the pin; unless it was seen there, a test has to name the file itself.
    """
    candidates = [path for path in changed if _is_data(path) and (path in opened or suffix_of(path) in _COMPARED)]
    if not candidates:
        return
    code = [path for path in paths if suffix_of(path) in _CODE]
    tests = [read(path) or "" for path in code if is_test(path) or control_kind(path)]
    product = [read(path) or "" for path in code if not is_test(path) and not control_kind(path)]
    for path in candidates:
        if (read(path) or "").startswith("#!"):
            continue  # a program that tests start, whatever its name: it is what they ask
        spelled = _mention(path)
        asks = spelled if path in opened and not is_template(path) else _named(path)
        if any(asks.search(text) for text in tests) and not any(spelled.search(text) for text in product):
            yield path


def modules_of_tests(changed: Collection[str], users: Mapping[str, Sequence[str]], read: ReadText) -> tuple[str, ...]:
    """Modules that load nothing of the project and that only tests load, together with what is tested.

    What a test asks by itself is the product. ``users``: each module with those of the project that it imports.
    """
    tests = [path for path in users if is_test(path) or control_kind(path)]

    def is_beside_them(path: str) -> bool:
        using = [user for user, found in users.items() if path in found and user != path]
        spelled = _mention(path)
        if any(spelled.search(read(user) or "") for user in users if user not in tests and user != path):
            return False
        if not using:  # loaded by a name that is made up on the way; tests start a program by its own
            return not any(_started(path).search(read(test) or "") for test in tests)
        others = [[p for p in users[user] if p != path and p not in tests and not _is_front(p)] for user in using]
        return all(user in tests for user in using) and all(others)

    return tuple(
        path
        for path in changed
        if path in users and path not in tests and not _is_front(path) and not set(users[path]) - {path}
        if is_beside_them(path)
    )


def _is_data(path: str) -> bool:
    is_known = is_test(path) or is_mixed(path) or control_kind(path) is not None
    return suffix_of(path) not in _CODE and not is_known and not is_document(path)


def _is_front(path: str) -> bool:
    """Loaded with whatever stands beside it."""
    return path.rsplit("/", 1)[-1].partition(".")[0] in _FRONTS


def _named(path: str) -> re.Pattern[str]:
    """Its name, or in quotes the name without its ending."""
    name = path.rsplit("/", 1)[-1]
    stem = name.rpartition(".")[0] or name
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])|[\"'`/]{re.escape(stem)}[\"'`]")


def _started(path: str) -> re.Pattern[str]:
    name = path.rsplit("/", 1)[-1]
    stem = re.escape(name.rpartition(".")[0] or name)
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])|-m[\"'`,\s]{{1,8}}[\w.]{{0,80}}\b{stem}\b")


def _mention(path: str) -> re.Pattern[str]:
    """The name of a file, with or without its ending, a folder on the way to it, or a pattern that finds it."""
    *folders, name = path.split("/")
    stem, _, ending = name.rpartition(".")
    quoted = "|".join(re.escape(word) for word in (stem or name, *folders))
    found = rf"|\*\.{re.escape(ending)}\b" if stem else ""
    placed = "|".join(re.escape(folder) for folder in folders)
    below = rf"|(?<![\w.-])(?:{placed})[/\\]|go:embed[^\n]{{0,200}}\b(?:{placed})\b" if folders else ""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])|[\"'`/](?:{quoted})[\"'`]{found}{below}")
