"""Archives of public packages, asked of the registries' own clients by name and version; kept, and known by hash."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from tests.chaos.history.archives import cache
from tests.strangers.stranger import Archive

PATIENCE_S = 300
_SOURCES = Path("/etc/apt/sources.list.d"), Path("/etc/apt/sources.list")


def unpack(archive: Archive, folder: Path) -> None:
    """Files only, below the archive's one folder, with the right to run them where they had it."""
    with tarfile.open(fetch(archive)) as packed:
        members = [(member, PurePosixPath(member.name)) for member in packed if member.isfile()]
        tops = {path.parts[0] for _, path in members if len(path.parts) > 1}
        has_one_top = len(tops) == 1 and all(len(path.parts) > 1 for _, path in members)
        for member, path in members:
            target = folder.joinpath(*path.parts[1:] if has_one_top else path.parts)
            content = packed.extractfile(member)
            assert content is not None and ".." not in path.parts and not path.is_absolute()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())
            target.chmod(0o755 if member.mode & 0o100 else 0o644)


def fetch(archive: Archive) -> Path:
    kept = cache() / archive.file
    if not (kept.is_file() and _is(archive, kept)):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="download-", dir=kept.parent) as folder:
            problem = _CLIENTS[archive.registry](archive, Path(folder))
            loaded = Path(folder, archive.file)
            if not (loaded.is_file() and _is(archive, loaded)):
                raise AssertionError(f"{archive.file} could not be downloaded: {problem.strip()[-500:]}")
            loaded.replace(kept)
    return kept


def _is(archive: Archive, path: Path) -> bool:
    return hashlib.sha256(path.read_bytes()).hexdigest() == archive.sha256


def _by_pip(archive: Archive, folder: Path) -> str:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{archive.name}=={archive.version} --hash=sha256:{archive.sha256}\n", encoding="utf-8")
    source = ("--no-deps", "--no-binary", archive.name, "--require-hashes", "--no-cache-dir")
    return _call(sys.executable, "-m", "pip", "download", "-q", *source, "-d", str(folder), "-r", str(wanted))


def _by_npm(archive: Archive, folder: Path) -> str:
    return _call("npm", "pack", "--silent", f"{archive.name}@{archive.version}", cwd=folder)


def _by_apt(archive: Archive, folder: Path) -> str:
    """A source package from the mirrors of this machine, by an index of our own: nothing of the system changes."""
    lists, parts = folder / "lists" / "partial", folder / "sources"
    lists.mkdir(parents=True)
    parts.mkdir()
    for path in [*sorted(_SOURCES[0].glob("*")), _SOURCES[1]]:
        if path.is_file():
            (parts / path.name).write_text(of_sources(path.read_text(encoding="utf-8")), encoding="utf-8")
    own = {
        "Dir::Etc::sourcelist": parts / "sources.list",
        "Dir::Etc::sourceparts": parts,
        "Dir::State::lists": lists.parent,
        "Dir::Cache": folder / "cache",
    }
    options = [word for key, value in own.items() for word in ("-o", f"{key}={value}")]
    told = _call("apt-get", *options, "update", cwd=folder)
    wanted = f"{archive.name}={archive.version}"
    return told + _call("apt-get", *options, "source", "--download-only", "--tar-only", wanted, cwd=folder)


def of_sources(text: str) -> str:
    """The same mirrors, asked for sources: both forms of the file."""
    lines = ("Types: deb-src" if line == "Types: deb" else line for line in text.splitlines())
    return "".join(f"deb-src {line[4:]}\n" if line.startswith("deb ") else f"{line}\n" for line in lines)


def _call(*words: str, cwd: Path | None = None) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    return done.stdout + done.stderr


_CLIENTS: Mapping[str, Callable[[Archive, Path], str]] = {"pip": _by_pip, "npm": _by_npm, "apt": _by_apt}
