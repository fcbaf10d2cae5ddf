"""Idle mutants: the one answer, and nothing done for it. covers: T8.M"""

from __future__ import annotations

import pytest

from autopilot.testtools.mutants.idle import idle_mutant

PYTHON = """def save(path, text):
    try:
        path.write_text(text)
    except OSError:
        return "saved"
    return "saved"
"""
SCRIPT = """export function save(path, text) {
  try {
    fs.writeFileSync(path, text);
  } catch {}
  return "saved";
}
"""
SHELL = '#!/usr/bin/env bash\nset -u\ntar -cf "$2" "$1" || true\nrm -f "$2"\necho done\n'


@pytest.mark.parametrize(
    ("path", "text", "idle", "name"),
    [
        ("notes.py", PYTHON, "def save(path, text):\n    return 'saved'\n", "save"),
        ("notes.js", SCRIPT, 'export function save(path, text) { return "saved"; }\n', "save"),
        ("bin/pack.sh", SHELL, "#!/usr/bin/env bash\nset -u\n:\n:\necho done\n", "pack.sh"),
    ],
)
def test_what_always_gives_one_answer_gives_it_and_does_nothing(path: str, text: str, idle: str, name: str) -> None:
    found = idle_mutant({path: (None, text.encode())})
    assert found is not None
    assert found.names == (name,)
    assert found.mutant.edits[path].decode() == idle


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", 'def kind(value):\n    return "word"\n'),
        ("a.py", 'def kind(value):\n    logger.info(value)\n    return "word"\n'),
        ("a.py", "def save(path, text):\n    path.write_text(text)\n    return len(text)\n"),
        ("a.py", "def save(path, text):\n    path.write_text(text)\n"),
        ("a.js", "export function save(path) {\n  fs.rmSync(path);\n  return path;\n}\n"),
        ("a.sh", '#!/bin/bash\nmkdir -p "$1"\necho "made $1"\n'),
        ("a.sh", '#!/bin/bash\ncd "$(dirname "$0")"\necho done\n'),
        ("a.sh", '#!/bin/bash\nif [ -n "$1" ]; then echo "$1"; fi\necho done\n'),
        ("a.md", "saved"),
    ],
)
def test_what_answers_differently_or_does_no_more_has_none(path: str, text: str) -> None:
    assert idle_mutant({path: (None, text.encode())}) is None


def test_what_was_there_is_left_alone() -> None:
    assert idle_mutant({"notes.py": (PYTHON.encode(), PYTHON.encode())}) is None
