"""The container recipe: whoever follows it gets what the sandbox needs, and says the same in every place."""

from __future__ import annotations

import json
import re

from tests.tidy.house import ROOT

# covers: INSTALL-CONTAINER

FOLDER = ROOT / ".devcontainer"
RECIPE = (FOLDER / "Containerfile").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "containers.md").read_text(encoding="utf-8")
PROBE = (ROOT / "src/autopilot/adapters/sandbox/probe.py").read_text(encoding="utf-8")


def test_the_same_restrictions_are_lifted_everywhere() -> None:
    described = json.loads((FOLDER / "devcontainer.json").read_text(encoding="utf-8"))
    options = {word.removeprefix("--security-opt=") for word in described["runArgs"]}
    assert options == {f"{name}=unconfined" for name in ("seccomp", "apparmor", "systempaths")}
    for text in (PAGE, PROBE):
        assert set(re.findall(r"--security-opt (\w+=unconfined)", text)) == options
    assert "--privileged" not in json.dumps(described) and "cap-add" not in json.dumps(described)


def test_what_is_named_exists_and_what_the_sandbox_needs_is_installed() -> None:
    described = json.loads((FOLDER / "devcontainer.json").read_text(encoding="utf-8"))
    assert (FOLDER / described["build"]["dockerfile"]).is_file()
    image = RECIPE.rpartition("FROM ")[2]
    packages = set(
        re.findall(r"[\w-]+", image.partition("apt-get install -y --no-install-recommends")[2].partition("&&")[0])
    )
    assert packages >= {"bubblewrap", "git", "mount", "util-linux", "python3", "python3-venv"}
    user = re.findall(r"^USER (\w+)$", image, re.MULTILINE)
    assert user == [described["remoteUser"]] != ["root"]
    made = re.findall(r"(/home/me/[\w./]+)", image.partition("RUN mkdir -p")[2].partition("\n")[0])
    assert {mount.split("target=")[1].split(",")[0] for mount in described["mounts"]} == set(made)


def test_a_failure_of_one_command_of_the_recipe_ends_it() -> None:
    """`a && b || c` runs c when a fails."""
    joined = RECIPE.replace("\\\n", " ")
    assert [line for line in joined.splitlines() if line.startswith("RUN") and "&&" in line and "||" in line] == []
