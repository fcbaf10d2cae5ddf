#!/usr/bin/env python3
"""Prints what the installed program consists of, as a CycloneDX bill of materials, from the lock file.

    scripts/sbom.py > autopilot.cdx.json

Nothing is looked up anywhere: names, versions and hashes are those of requirements.lock, so the same commit prints the
same bytes.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(lock: str) -> Iterator[dict[str, Any]]:
    pins = list(_PIN.finditer(lock))
    ends = [*(pin.start() for pin in pins[1:]), len(lock)]
    for pin, end in zip(pins, ends, strict=True):
        name, version = pin[1].lower().replace("_", "-"), pin[2]
        files = _HASH.findall(lock[pin.end() : end])
        yield {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            # One for each file of the release; which of them is installed depends on the machine.
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in files],
        }


def make_bill(root: Path = ROOT) -> dict[str, Any]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = runpy.run_path(str(root / "setup.py"))["find_version"](root)
    own = {"type": "application", "name": project["name"], "version": version}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": list(components((root / "requirements.lock").read_text(encoding="utf-8"))),
    }


if __name__ == "__main__":
    json.dump(make_bill(), sys.stdout, indent=1)
    print()
