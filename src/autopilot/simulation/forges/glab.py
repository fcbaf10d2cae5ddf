"""A `glab` that writes down what it is asked, and answers `glab api` as GitLab does."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

PROGRAM = f"""#!{sys.executable}
import json, os, sys
from urllib.parse import parse_qs, urlsplit
arguments = sys.argv[1:]
log, made = os.environ["LOG"], os.environ["MADE"]
body = json.load(sys.stdin) if "--input" in arguments else None
with open(log, "a") as file:
    file.write(json.dumps([arguments, body, os.getcwd()]) + "\\n")
method, path = arguments[arguments.index("--method") + 1], urlsplit(arguments[arguments.index("--method") + 2])
rest = path.path.removeprefix("projects/o%2Fr").split("/")[1:]
known = json.load(open(made)) if os.path.exists(made) else []

def end(answer):
    print(json.dumps(answer))
    sys.exit(0)

if rest == []:
    end({{"default_branch": "trunk"}})
if rest == ["issues", "24"]:
    end({{"title": "A title", "description": "A body", "labels": ["bug", "p 1"]}})
if rest == ["issues", "25"]:
    end({{"title": "No body", "description": None, "labels": []}})
if rest == ["merge_requests"] and method == "GET":
    branch = parse_qs(path.query)["source_branch"][0]
    end([request for request in known if request["source_branch"] == branch and request["state"] == "opened"])
if rest == ["merge_requests"]:
    new = {{"iid": 7 + len(known), "web_url": "https://git.example.org/o/r/-/merge_requests/7", "title": body["title"]}}
    new |= {{"source_branch": body["source_branch"], "state": "opened"}}
    json.dump([*known, new], open(made, "w"))
    end(new)
if rest[:1] == ["merge_requests"] and method == "PUT":
    known[-1].update(title=body["title"])
    json.dump(known, open(made, "w"))
    end(known[-1])
if rest[:1] == ["statuses"] or rest[-1:] == ["notes"]:
    end({{}})
print(json.dumps({{"message": "404 Not found"}}))
print("glab: 404 Not found (HTTP 404)", file=sys.stderr)
sys.exit(1)
"""


class GlabProgram:
    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.log, self.made = folder / "log", folder / "made"
        program = folder / "glab"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        self.environment = {"PATH": path, "HOME": str(folder), "LOG": str(self.log), "MADE": str(self.made)}

    @property
    def asked(self) -> list[list[Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def declare_ready(self) -> None:
        known = json.loads(self.made.read_text())
        known[-1]["title"] = known[-1]["title"].removeprefix("Draft: ")
        self.made.write_text(json.dumps(known))
