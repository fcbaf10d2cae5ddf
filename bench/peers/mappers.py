"""Other programs that list what a tree defines: installed once, and how each is asked to do so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

CACHE = Path(os.environ.get("AUTOPILOT_CACHE", Path.home() / ".cache" / "autopilot-bench"))
INSTALL_S = 900
RULES = """{id: f, language: python, rule: {kind: function_definition}}
---
{id: c, language: python, rule: {kind: class_definition}}
---
{id: g, language: ts, rule: {kind: function_declaration}}
---
{id: h, language: ts, rule: {kind: interface_declaration}}"""


class Peer(Struct, frozen=True):
    name: str
    goal: str
    command: list[str]  # none where it cannot be had
    stdin: str = ""


def peers(tree: Path, files: Sequence[str]) -> list[Peer]:
    ctags, ast_grep, aider = _ctags(), _ast_grep(), install_aider()
    asked = json.dumps({"root": str(tree), "files": list(files), "message": "", "tokens": 2000})
    shown = [str(aider), str(Path(__file__).parent / "aider_map.py")] if aider else []
    return [
        Peer("universal-ctags", "printed", [ctags, "-R", "-f", "/dev/null", "."] if ctags else []),
        Peer(
            "ast-grep", "goal <= 1x", [ast_grep, "scan", "--inline-rules", RULES, "--json=stream"] if ast_grep else []
        ),
        Peer("aider", "goal <= 0.17x", shown, asked + "\n"),
    ]


def install_aider() -> Path | None:
    """The Python of an environment with aider; None where it cannot be had."""
    place = CACHE / "aider"
    python = place / "bin" / "python"
    steps = [[sys.executable, "-m", "venv", str(place)], [str(python), "-m", "pip", "install", "-q", "aider-chat"]]
    check = [str(python), "-c", "import aider.repomap"]
    if python.exists() and _is_done(check):
        return python
    return python if all(map(_is_done, [*steps, check])) else None


def _ctags() -> str:
    if not shutil.which("ctags") and shutil.which("apt-get"):
        _is_done(["apt-get", "install", "-qq", "-y", "universal-ctags"])
    return shutil.which("ctags") or ""


def _ast_grep() -> str:
    program = CACHE / "ast-grep" / "node_modules" / ".bin" / "ast-grep"
    if not program.exists():
        _is_done(["npm", "install", "--prefix", str(CACHE / "ast-grep"), "--silent", "@ast-grep/cli"])
    return str(program) if program.exists() else ""


def _is_done(command: Sequence[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=INSTALL_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"`{' '.join(command)}` failed: {error}", flush=True)
        return False
    if done.returncode != 0:
        print(f"`{' '.join(command)}` failed: {done.stderr.strip()[-200:]}", flush=True)
    return done.returncode == 0
