"""Small sites that are looked at in a real browser, in a real sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.user import give_away
from autopilot.adapters.visual.chromium import ChromiumEyes
from autopilot.inspection.visual.baseline import Pins
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.subject import VisualTesting
from autopilot.ports.sandbox import CommandSpec, Profile
from autopilot.steps.visual.comparing import compare_with, pin_all
from autopilot.steps.visual.looking import look_at

PORT = 8123
URL = f"http://localhost:{PORT}"
SERVE = f"python3 -m http.server {PORT}"


class Studio:
    def __init__(self, folder: Path, subject: VisualTesting) -> None:
        self.folder, self.subject = folder, subject
        self.sandbox = Bubblewrap(folder / "state")
        self.eyes = ChromiumEyes(self.sandbox, FileBlobs(folder / "pictures", Redactor({})))

    def look(self, files: Mapping[str, str], pins: Pins | None = None) -> VisualCheck:
        """At an app that is made of these files, compared with these pins."""
        looked = self.see(files)
        assert not looked.problem, looked.problem
        return compare_with(self.eyes.pictures, looked, pins or Pins(), self.subject)

    def see(self, files: Mapping[str, str]) -> VisualCheck:
        site = self.folder / f"site-{len(list(self.folder.iterdir()))}"
        site.mkdir()
        for name, text in files.items():
            (site / name).write_text(text, encoding="utf-8")
        give_away(site)
        backing = PurePosixPath(site)
        spec = CommandSpec(argv=("true",), profile=Profile.VERIFY, project=backing, backing=backing)
        return look_at(self.eyes, spec, self.subject, "c" * 40)

    def pin(self, check: VisualCheck) -> Pins:
        return pin_all(self.eyes.pictures, check)
