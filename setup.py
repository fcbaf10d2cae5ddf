"""Builds the package, its version taken from the git tag; all else about the package stands in pyproject.toml.

A commit with the tag v1.2.0 is 1.2.0, the third one after it 1.2.1.dev3+g0123abc. A source distribution has the version
it was made with. Sources without either keep the one they name themselves, 1.2.0+source. ADR 66 says why.
"""

from __future__ import annotations

import os
import re
import subprocess
from email.parser import Parser
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
MODULE = Path("src/autopilot/__init__.py")
NAMED = re.compile(r'(?m)^__version__ = "([^"\n]+)"$')
TAGGED = re.compile(r"v(\d+(?:\.\d+)*)-(\d+)-g([0-9a-f]+)")
DESCRIBE = ("describe", "--tags", "--long", "--match", "v[0-9]*")


def find_version(root: Path) -> str:
    named = NAMED.findall((root / MODULE).read_text(encoding="utf-8"))[0]
    return _of_distribution(root) or _of_git(root, named.partition("+")[0]) or named


def compute_version(described: str, commits: int, commit: str, base: str) -> str:
    """From what `git describe --long` says; without a tag yet, the commits are counted towards the first version."""
    found = TAGGED.fullmatch(described)
    if found is None:
        return f"{base}.dev{commits}+g{commit}"
    tag, distance, commit = found[1], int(found[2]), found[3]
    if distance == 0:
        return tag
    *numbers, last = tag.split(".")
    return ".".join((*numbers, str(int(last) + 1), f"dev{distance}+g{commit}"))


def _of_distribution(root: Path) -> str:
    """A source distribution says in PKG-INFO which version it is."""
    try:
        return Parser().parsestr((root / "PKG-INFO").read_text(encoding="utf-8"))["Version"] or ""
    except OSError:
        return ""


def _of_git(root: Path, base: str) -> str:
    """Nothing where these sources are not a repository of their own: one around them has other tags."""
    if _git(root, "rev-parse", "--show-toplevel") != str(root):
        return ""
    commit, commits = _git(root, "rev-parse", "--short", "HEAD"), _git(root, "rev-list", "--count", "HEAD")
    return compute_version(_git(root, *DESCRIBE), int(commits or 0), commit, base) if commit else ""


def _git(root: Path, *words: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(("git", *words), cwd=root, env=environment, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


class Build(build_py):
    """Writes the version into the module that is installed: asking for it there costs nothing."""

    def build_module(self, module: str, module_file: str, package: str) -> object:
        built = super().build_module(module, module_file, package)
        if (package, module) == ("autopilot", "__init__"):
            copy = Path(self.get_module_outfile(self.build_lib, ["autopilot"], "__init__"))
            text = NAMED.sub(f'__version__ = "{self.distribution.get_version()}"', copy.read_text(encoding="utf-8"))
            copy.unlink()  # it may be a hard link to the sources
            copy.write_text(text, encoding="utf-8")
        return built


if __name__ == "__main__":
    setup(version=find_version(ROOT), cmdclass={"build_py": Build})
