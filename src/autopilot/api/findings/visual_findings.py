"""What `doctor` says of looking at interfaces, where the repository wants it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.adapters.visual.chromium import probe_browser
from autopilot.api.findings.finding import Finding
from autopilot.model.visual.subject import VisualTesting
from autopilot.settings.reading import Settings
from autopilot.text.naming import plural


def find_eyes(subject: VisualTesting | None, settings: Settings) -> Iterator[Finding]:
    """A warning: a run goes on without it, and says what was not looked at."""
    if subject is None:
        return
    probe = probe_browser(settings.environment.get("PATH", "") or None)
    if probe.usable:
        yield Finding("visual", "ok", f"{probe.detail}: {plural(len(subject.shots()), 'shot')}")
    else:
        yield Finding("visual", "warning", f"interfaces cannot be looked at: {probe.detail}", probe.remedy)
