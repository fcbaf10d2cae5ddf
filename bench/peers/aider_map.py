"""Aider's repository map, asked as aider itself asks it; run by the Python of aider's own environment.

Reads one JSON object a line (root, files, message, tokens) and prints one (text) for each.
"""

import contextlib
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

from aider.io import InputOutput  # type: ignore[import-not-found]
from aider.repomap import RepoMap  # type: ignore[import-not-found]


class Model:
    """Counts tokens as the bench counts them for everybody."""

    def token_count(self, text: str) -> float:
        return len(text) / 4


def main() -> None:
    maps: dict[str, RepoMap] = {}
    for line in sys.stdin:
        case = json.loads(line)
        root = case["root"]
        with contextlib.redirect_stdout(sys.stderr):
            if root not in maps:
                maps[root] = RepoMap(root=root, main_model=Model(), io=InputOutput(yes=True, pretty=False))
            text = ask(maps[root], root, case["files"], case["message"], case["tokens"])
        print(json.dumps({"text": text}), flush=True)


def ask(repo_map: RepoMap, root: str, files: list[str], message: str, tokens: int) -> str:
    """As `Coder.get_repo_map` does with no file in the chat, but never with more than the tokens it is given."""
    identifiers = set(re.split(r"\W+", message))
    named = file_mentions(files, message) | filename_matches(files, identifiers)
    absolute = {str(Path(root) / path) for path in files}
    hinted = repo_map.get_ranked_tags_map(set(), absolute, tokens, named, identifiers, True)
    return hinted or repo_map.get_ranked_tags_map(set(), absolute, tokens, force_refresh=True) or ""


def file_mentions(files: list[str], message: str) -> set[str]:
    words = {word.rstrip(",.!;:?").strip("\"'`*_") for word in message.split()}
    by_name = defaultdict(list)
    for path in files:
        by_name[Path(path).name].append(path)
    unique = {
        paths[0] for name, paths in by_name.items() if len(paths) == 1 and name in words and set(name) & set("._-")
    }
    return unique | (words & set(files))


def filename_matches(files: list[str], identifiers: set[str]) -> set[str]:
    wanted = {name.lower() for name in identifiers if len(name) >= 5}
    return {path for path in files if Path(path).stem.lower() in wanted}


if __name__ == "__main__":
    main()
