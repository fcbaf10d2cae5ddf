"""A run in a CI job, carried to a person's machine and back: the record holds everywhere, and no key travels.

covers: CI-RUN, CI-ARTEFACT
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.artefact.carried import KEY, Carried, artefact_key, read_artefact, write_artefact
from tests.scenario.kit import warm
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, make_world

SECRET = "f3b1c5d7e9a2b4c6d8f0a1b3c5d7e9f1"
SEAL = artefact_key({KEY: SECRET})
CAPS = ("--budget-usd", "5", "--budget-minutes", "60")


def call(world: World, *words: str, more: Mapping[str, str] | None = None) -> Ran:
    environment = {**world.environment, "AUTOPILOT_ARTEFACT_KEY": SECRET, **(more or {})}
    return Ran(*warm.call(words, world.project, environment, PATIENCE_S))


def elsewhere(world: World, folder: Path) -> World:
    """Another machine: its own state home, and a clone of the repository."""
    other = World(folder, world.plot)
    shutil.rmtree(other.project)
    shutil.copytree(world.project, other.project, symlinks=True)
    shutil.copy(world.script, other.script)
    return other


def forged(artefact: Path) -> Iterator[Carried]:
    """By a job that has the key and means ill: nothing of it leads out of the record."""
    carried, _ = read_artefact(artefact, SEAL)
    for name in ("refs/heads/../../../../x", "HEAD", "refs/autopilot/anchors/x", "refs/heads/-x\n", "--upload-pack=x"):
        yield replace(carried, refs={name: carried.known})
    yield replace(carried, known="--output=x")
    yield replace(carried, known="a" * 40)
    yield replace(carried, texts={"../../x": b"x"})
    yield replace(carried, pack=b"PACK" + b"x" * 100)
    yield replace(carried, rows=(carried.rows[0]._replace(time="never"), *carried.rows[1:]))


def test_a_job_that_waits_is_answered_on_another_machine_and_goes_on_in_a_third(tmp_path: Path) -> None:
    job = make_world(tmp_path / "job", Plot(phases=2, planned=True))
    job.play()
    mine, next_job = elsewhere(job, tmp_path / "mine"), elsewhere(job, tmp_path / "next")
    artefact = tmp_path / "run.artefact"
    summary, outputs = tmp_path / "summary.md", tmp_path / "outputs"
    github = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(outputs),
    }
    words = ("run", "--ci", "--checkpoint-every", "1", "--script", str(job.script), "--artefact", str(artefact))
    refused = call(job, *words, more=github)
    assert refused.status == 2 and "needs a cap on money or tokens and on time" in refused.err
    assert not artefact.exists()

    ran = call(job, *words, *CAPS, more=github)
    assert ran.status == 3, ran.err
    assert ran.err.splitlines()[0].startswith("::stop-commands::")
    assert "status=waiting" in outputs.read_text() and "exit-status=3" in outputs.read_text()
    shown = summary.read_text()
    assert "autopilot approve checkpoint-1" in shown and f"autopilot log import {artefact}" in shown
    key = next((job.state / "autopilot").glob("*/key")).read_bytes()
    assert key not in artefact.read_bytes() and SECRET.encode() not in artefact.read_bytes()

    wrong = call(mine, "log", "import", str(artefact), more={"AUTOPILOT_ARTEFACT_KEY": "x" * 40})
    assert wrong.status == 6 and "does not fit" in wrong.err
    refs = mine.git("for-each-ref")
    for altered in forged(artefact):
        file = tmp_path / "forged.artefact"
        write_artefact(altered, SEAL, file)
        forged_one = call(mine, "log", "import", str(file))
        assert forged_one.status in (2, 6) and "error:" in forged_one.err
        assert mine.git("for-each-ref") == refs
    imported = call(mine, "log", "import", str(artefact))
    assert imported.status == 0, imported.err
    assert call(mine, "log", "verify").status == 0
    assert next((mine.state / "autopilot").glob("*/key")).read_bytes() != key
    again = call(mine, "log", "import", str(artefact))
    assert again.status == 0 and "nothing was imported" in again.out
    assert call(mine, "approve", "checkpoint-1").status == 0
    assert call(mine, "log", "export", str(artefact)).status == 0

    going = ("resume", "--ci", *CAPS, "--artefact", str(artefact), "--script", str(next_job.script))
    went_on = call(next_job, *going, "--summary", str(summary))
    assert "imported" in went_on.err
    assert went_on.status == 3, "what landed in the first job is on a branch here"
    assert "git merge" in went_on.out
    assert call(next_job, "log", "verify").status == 0
    whole = summary.read_text()
    assert whole.startswith("## Autopilot: waiting") and whole.count("### To go on") == 1, "where a file is named too"
