"""Source archives of public packages, downloaded once by pip, kept in a cache and known by their hashes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from tests.chaos.history.fixes import Archive

PATIENCE_S = 300
_LEFT_OVER = (".pyc", ".pyo")


def files_of(archive: Archive) -> Mapping[str, bytes]:
    """By their paths below the archive's one folder; without what a Python left behind when it was packed."""
    files = {}
    with tarfile.open(fetch(archive)) as packed:
        for member in packed:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            read = packed.extractfile(member) if member.isfile() else None
            if read is not None and path.suffix not in _LEFT_OVER:
                files[str(path)] = read.read()
    return files


def fetch(archive: Archive) -> Path:
    kept = cache() / archive.file
    if not (kept.is_file() and _is(archive, kept)):
        kept.parent.mkdir(parents=True, exist_ok=True)
        _download(archive, kept)
    return kept


def cache() -> Path:
    """Where everything is that no test should load twice."""
    return Path(os.environ.get("AUTOPILOT_CACHE") or Path.home() / ".cache" / "autopilot-tests")


def _download(archive: Archive, kept: Path) -> None:
    """Several tests may want it at once: each loads its own, and all put the same bytes in the same place."""
    with tempfile.TemporaryDirectory(prefix="download-", dir=kept.parent) as folder:
        wanted = Path(folder, "wanted.txt")
        wanted.write_text(f"{archive.package}=={archive.version} --hash=sha256:{archive.sha256}\n", encoding="utf-8")
        # Of this package alone the source is wanted: what it takes to build it may come ready-made.
        source = ("--no-deps", "--no-binary", archive.package, "--require-hashes", "--no-cache-dir")
        words = (sys.executable, "-m", "pip", "download", "-q", *source, "-d", folder, "-r", str(wanted))
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        loaded = Path(folder, archive.file)
        if done.returncode != 0 or not _is(archive, loaded):
            raise AssertionError(f"{archive.file} could not be downloaded: {done.stderr.strip()[-500:]}")
        loaded.replace(kept)


def _is(archive: Archive, path: Path) -> bool:
    return hashlib.sha256(path.read_bytes()).hexdigest() == archive.sha256
