"""The command a plan declares for its acceptance tests: ``Test command: `pytest -q tests/acceptance` ``."""

from __future__ import annotations

import re

from autopilot.text.visible import visible

_DECLARED = re.compile(
    r"^[ \t]*(?:[-*] )?\**(?:AT|Test) command\**:\** *`(?P<command>[^`\n]+)`", re.MULTILINE | re.IGNORECASE
)


def find_test_command(plan: str) -> str:
    """Only a command that the approver of the plan can see; "" where it declares none."""
    found = _DECLARED.search(visible(plan))
    return found["command"].strip() if found else ""
