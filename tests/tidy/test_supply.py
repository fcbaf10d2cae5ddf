"""Every runtime dependency is pinned by hash, and stands in the bill of materials."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib

from tests.tidy.house import ROOT


def test_the_bill_of_materials_names_every_pinned_package_with_its_hashes() -> None:
    printed = [subprocess.check_output([sys.executable, ROOT / "scripts/sbom.py"]) for _ in range(2)]
    assert printed[0] == printed[1]
    bill = json.loads(printed[0])
    pinned = [line.split("==")[0] for line in (ROOT / "requirements.lock").read_text().splitlines() if "==" in line]
    assert [part["name"] for part in bill["components"]] == pinned
    assert all(part["hashes"] and part["purl"].endswith(part["version"]) for part in bill["components"])


def test_what_the_program_needs_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (ROOT / "requirements.lock").read_text()
    for wanted in project["dependencies"]:
        name = wanted.split(">")[0].split("=")[0].split("[")[0].split("<")[0].strip().lower()
        assert f"\n{name}==" in lock
