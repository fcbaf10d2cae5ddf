"""A command asked for reports, run by a real shell or in the real sandbox, and what its test tools reported."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from msgspec import Struct

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.model.evidence.testing import TestReport
from autopilot.ports.sandbox import CommandSpec, Exited, Profile, run
from autopilot.testtools.instrument import Asked, ask_for_reports, put_canary, read_reports
from autopilot.testtools.pack import Pack, name_folder

_SEND = """mkdir /tmp/reports
( %s
)
status=$?
tar -C /tmp/reports -c . >&"$REPORT_FD"
exit $status"""


class Ran(Struct, frozen=True):
    status: int
    output: str
    report: TestReport

    def ends(self) -> dict[str, str]:
        """Every test with how it ended and, where it failed, why."""
        return {r.id: r.by.value if r.by else r.ended.value for r in self.report.results}


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def copy_project(folder: Path) -> Path:
    """For one call, which may change it."""
    return Path(shutil.copytree(folder, Path(tempfile.mkdtemp(dir=folder.parent)) / "project"))


def asked(folder: Path, command: str) -> Asked:
    found = ask_for_reports(command, lambda path: (folder / path).read_text() if (folder / path).is_file() else None)
    assert found is not None, command
    return found


def call(folder: Path, command: str) -> Ran:
    """As the pipeline runs commands, without walls."""
    wanted = asked(folder, command)
    reports = folder.parent / f"reports-{len(list(folder.parent.iterdir()))}"
    reports.mkdir()
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", name_folder(wanted.command, str(reports))],
        cwd=folder,
        env={**os.environ, "PATH": search_path()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    files = {path.name: path.read_bytes() for path in reports.iterdir()}
    return Ran(done.returncode, done.stdout, read_reports(wanted, files, done.stdout))


def search_path() -> str:
    """Compilers by their own folders: rustup's ``cargo`` finds none where the home is another."""
    outside = os.environ["PATH"]
    return os.pathsep.join([*(str(folder / "bin") for folder in find_toolchains(outside)), outside])


def call_on_its_canary(folder: Path, command: str, *beside: str) -> tuple[str, Ran]:
    """The whole command, its first call made on a test that must fail; and that test's name."""
    paths = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]

    def read(path: str) -> str | None:
        return (folder / path).read_text() if (folder / path).is_file() else None

    found = put_canary(command, read, paths, beside=beside, seed="a commit")
    assert found is not None, command
    canary, with_canary = found
    write(folder, {canary.path: canary.text})
    return canary.name, call(folder, with_canary)


def call_confined(folder: Path, command: str) -> Ran:
    """Inside the walls: no network, a throw-away home, the user's toolchains by the way they are found."""
    wanted = asked(folder, command)
    sandbox = Bubblewrap(folder.parent / "state", toolchains=find_toolchains(os.environ["PATH"]))
    place = PurePosixPath(folder)
    words = ("bash", "-o", "pipefail", "-c", _SEND % name_folder(wanted.command, "/tmp/reports"))
    outcome = run(sandbox, CommandSpec(words, Profile.VERIFY, place, place, report=True, timeout_s=120, label="test"))
    assert isinstance(outcome.ended, Exited), outcome
    padded = outcome.report + bytes(tarfile.RECORDSIZE)  # the zeros at its end are not handed out
    with tarfile.open(fileobj=io.BytesIO(padded)) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        files = {m.name.removeprefix("./"): f.read() for m in members if (f := archive.extractfile(m))}
    output = outcome.output.decode()
    return Ran(outcome.ended.code, output, read_reports(wanted, files, output))


def call_on_canary(folder: Path, command: str) -> tuple[str, Ran]:
    """The name of the pack's canary, and the command's own call made on it alone."""
    (first, *_) = asked(folder, command).calls
    pack: Pack = first.pack
    paths = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    canary = pack.canary(paths, first.arguments)
    assert canary is not None
    write(folder, {canary.path: canary.text})
    return canary.name, call(folder, " ".join(pack.only(first.arguments, [canary.path])))
