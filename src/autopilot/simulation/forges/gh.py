"""A `gh` that writes down what it is asked."""

from __future__ import annotations

import os
from pathlib import Path

SECRET = "hunter2-hunter2-hunter2"
# Knows issue 24, the issues of the file $ISSUES, and a pull request for every branch that one was made for.
GH = r"""
n=$(ls "$LOG" | wc -l)
mkdir "$LOG/$n"
pwd > "$LOG/$n/folder"
printf '%s\n' "$@" > "$LOG/$n/words"
case "$*" in *--body-file*|*--input*) cat > "$LOG/$n/body";; esac
case "$1 $2 $3" in
  "issue view 24") printf '{"title":"A title","body":"A body","labels":[{"name":"bug","color":"f00"},{"name":"p 1"}]}';;
  "issue view 25") printf '{"title":"No body","body":null,"labels":[]}';;
  "issue view 26") printf 'not JSON';;
  "issue view 27") echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4;;
  "issue view 28") echo "HTTP 502: the gateway is down" >&2; exit 1;;
  "issue view 29") sleep 600;;
  "issue view"*) echo "GraphQL: Could not resolve to an issue or pull request with the number of $3." >&2; exit 1;;
  "issue list"*) cat "$ISSUES" 2>/dev/null || printf '[]';;
  "issue edit 24") ;;
  "issue edit"*) echo "'merge-ready' not found" >&2; exit 1;;
  "pr view"*)
    test -f "$PULL" || { echo "no pull requests found for branch \"$3\"" >&2; exit 1; }
    printf '{"url":"https://forge.example.org/o/r/pull/7","state":"%s"}' "$(cat "$PULL")";;
  "pr create"*) printf OPEN > "$PULL"; echo "https://forge.example.org/o/r/pull/7";;
esac
"""


class Gh:
    """The user's `gh`, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.log, self.pull = folder / "log", folder / "pull"
        self.log.mkdir(parents=True)
        self.program = folder / "gh"
        self.program.write_text(f"#!/bin/sh\n{GH}", encoding="utf-8")
        self.program.chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        self.issues = folder / "issues.json"  # what a list of issues is answered with
        places = {"LOG": str(self.log), "PULL": str(self.pull), "ISSUES": str(self.issues)}
        self.environment = {"PATH": path, "HOME": str(folder), **places}

    @property
    def asked(self) -> list[list[str]]:
        return [self._read(n, "words").splitlines() for n in range(len(list(self.log.iterdir())))]

    def body(self, nth: int) -> str:
        return self._read(nth, "body")

    def folder(self, nth: int) -> Path:
        return Path(self._read(nth, "folder").strip())

    def _read(self, nth: int, name: str) -> str:
        return (self.log / str(nth) / name).read_text(encoding="utf-8")
