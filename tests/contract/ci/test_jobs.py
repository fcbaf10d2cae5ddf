"""What CI systems run: the scripts behind GitHub's action and GitLab's template, run here as they run there.

covers: CI-JOBS
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autopilot.cli.parser import build_parser

ROOT = Path(__file__).resolve().parents[3]
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
GITLAB = (ROOT / "ci" / "gitlab.yml").read_text(encoding="utf-8")
JOB, INSTALL = ROOT / "ci" / "job.sh", ROOT / "ci" / "install.sh"
SECRET = {"AUTOPILOT_ARTEFACT_KEY": "x" * 40}
REPORTS = [
    *("--ci", "--junit", "autopilot-reports/junit.xml", "--sarif", "autopilot-reports/autopilot.sarif"),
    *("--code-quality", "autopilot-reports/code-quality.json"),
]
# In place of the program: it writes down how it was called, and answers `status --json`.
STUB = """#!/bin/sh
for word in "$@"; do printf '%s\\0' "$word" >> "$CALLS"; done
printf '\\n' >> "$CALLS"
if [ "$1" = status ]; then echo '{"_meta": {"run_id": "run-1"}}'; fi
"""
# Python as it is, but that pip is left out and does nothing.
PYTHON = """#!/bin/sh
for place; do :; done
"$REAL" "$@" --without-pip && printf '#!/bin/sh\\n' > "$place/bin/pip" && chmod +x "$place/bin/pip"
"""


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder, self.calls_file = folder / "checkout", folder / "calls"
        self.folder.mkdir()
        (folder / "bin").mkdir()
        stub = folder / "bin" / "autopilot"
        stub.write_text(STUB)
        stub.chmod(0o755)
        identity = {f"GIT_{who}_{what}": "u" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        self.environment = {
            "PATH": f"{stub.parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "CALLS": str(self.calls_file),
            **identity,
        }
        self.git("init", "-q", "-b", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "first")

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ("git", *words), cwd=self.folder, env=self.environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def job(self, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ("bash", JOB), cwd=self.folder, env=self.environment | more, check=True, capture_output=True, text=True
        )

    def install(self) -> None:
        """The environment is made by the real Python; what would be installed into it is not fetched."""
        for name, script in (("bwrap", "#!/bin/sh\n"), ("python3", PYTHON)):
            (self.folder.parent / "bin" / name).write_text(script)
            (self.folder.parent / "bin" / name).chmod(0o755)
        environment = self.environment | {"RUNNER_TEMP": str(self.folder.parent), "REAL": sys.executable}
        subprocess.run(("bash", INSTALL), cwd=self.folder, env=environment, check=True, capture_output=True)

    @property
    def calls(self) -> list[list[str]]:
        return [line.split("\0")[:-1] for line in self.calls_file.read_text().splitlines()]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_first_job_runs_and_names_its_files(place: Place) -> None:
    place.job(AUTOPILOT_PHASES="3-5 7", AUTOPILOT_BUDGET_USD="20", AUTOPILOT_BUDGET_MINUTES="90", **SECRET)
    (call,) = place.calls
    caps = ["--budget-usd", "20", "--budget-minutes", "90"]
    artefact = ["--artefact", "autopilot-reports/run.artefact"]
    assert call == ["run", "3-5", "7", *REPORTS, "--summary", "autopilot-reports/summary.md", *artefact, *caps]
    build_parser().parse_args(call)


def test_a_later_job_takes_the_artefact_up_merges_what_landed_and_resumes(place: Place) -> None:
    place.git("branch", "autopilot/run-1")
    place.git("switch", "-q", "autopilot/run-1")
    place.git("commit", "-q", "--allow-empty", "-m", "landed")
    place.git("switch", "-q", "main")
    (place.folder / "left").write_text("artefact")
    place.job(AUTOPILOT_ARTEFACT="left", **SECRET)
    assert [call[:3] for call in place.calls] == [
        ["log", "import", "left"],
        ["status", "--json"],
        ["resume", *REPORTS[:2]],
    ]
    assert place.git("log", "-1", "--format=%s") == "landed"
    build_parser().parse_args(place.calls[-1])


def test_a_branch_that_has_moved_is_not_merged(place: Place) -> None:
    place.git("switch", "-q", "-c", "autopilot/run-1")
    place.git("commit", "-q", "--allow-empty", "-m", "landed")
    place.git("switch", "-q", "main")
    place.git("commit", "-q", "--allow-empty", "-m", "a person's")
    (place.folder / "left").write_text("artefact")
    ran = place.job(AUTOPILOT_ARTEFACT="left", **SECRET)
    assert "is not merged" in ran.stderr
    assert place.git("log", "-1", "--format=%s") == "a person's"


def test_without_a_key_no_artefact_is_named_and_that_is_said(place: Place) -> None:
    ran = place.job()
    assert "--artefact" not in place.calls[0]
    assert "no artefact is left" in ran.stderr


def test_no_input_is_read_as_shell(place: Place) -> None:
    words = "$(touch made) `touch made` ; touch made #"
    place.job(AUTOPILOT_PHASES=words, AUTOPILOT_FLAGS=words, AUTOPILOT_AGENT=words, AUTOPILOT_BUDGET_USD=words)
    assert not (place.folder / "made").exists()
    assert "$(touch" in place.calls[0] and words in place.calls[0]


def test_a_module_of_the_checkout_runs_in_no_script_of_a_job(place: Place) -> None:
    decoy = "open({!r}, 'w').close()\n"
    for name in ("json", "venv"):
        (place.folder / f"{name}.py").write_text(decoy.format(str(place.folder / f"made-{name}")))
    (place.folder / "left").write_text("artefact")
    place.job(AUTOPILOT_ARTEFACT="left", **SECRET)
    place.install()
    assert place.calls[-1][0] == "resume" and (place.folder.parent / "autopilot-venv" / "bin" / "python3").exists()
    assert not list(place.folder.glob("made-*"))
    for words in (("-c", "import json"), ("-m", "venv", "x")):  # the control
        subprocess.run((sys.executable, *words), cwd=place.folder, check=True, capture_output=True)
    assert len(list(place.folder.glob("made-*"))) == 2


def test_the_name_of_a_landed_file_is_no_command_to_github(place: Place) -> None:
    place.git("switch", "-q", "-c", "autopilot/run-1")
    (place.folder / "::stop-commands::known").write_text("x\n")
    (place.folder / "##[add-matcher]known").write_text("x\n")
    place.git("add", ".")
    place.git("commit", "-q", "-m", "landed")
    place.git("switch", "-q", "main")
    (place.folder / "left").write_text("artefact")
    ran = place.job(AUTOPILOT_ARTEFACT="left", **SECRET)
    assert "known" not in ran.stdout + ran.stderr
    assert place.git("log", "-1", "--format=%s") == "landed"
    place.git("reset", "-q", "--hard", "HEAD^")
    printed = place.git("merge", "--ff-only", "autopilot/run-1").splitlines()  # the control
    assert any(line.strip().startswith("::stop-commands::known") for line in printed)


def test_the_action_hands_inputs_over_by_the_environment_alone() -> None:
    scripts = re.findall(r"^ *run: (.*)$", ACTION, re.MULTILINE)
    assert len(scripts) == 3
    assert all("${{" not in script for script in scripts)
    named = set(re.findall(r"\$\{\{ inputs\.([a-z-]+) \}\}", ACTION))
    assert named == set(re.findall(r"^  ([a-z-]+):\n    description:.*\n    default:", ACTION, re.MULTILINE))
    read = set(re.findall(r"AUTOPILOT_[A-Z_]+", JOB.read_text())) - {"AUTOPILOT_REPORTS", "AUTOPILOT_BUDGET_"}
    given = set(re.findall(r"^ {8}(AUTOPILOT_[A-Z_]+):", ACTION, re.MULTILINE))
    assert read | {f"AUTOPILOT_BUDGET_{cap}" for cap in ("USD", "TOKENS", "MINUTES")} == given


def test_the_scripts_of_the_action_and_the_template_are_there() -> None:
    for script in [*re.findall(r"ci/[a-z]+\.sh", f"{ACTION}{GITLAB}"), "ci/job.sh"]:
        assert subprocess.run(("bash", "-n", ROOT / script), check=False).returncode == 0
    for kept in ("autopilot-reports/junit.xml", "autopilot-reports/code-quality.json"):
        assert kept in GITLAB and kept in json.dumps(REPORTS)
