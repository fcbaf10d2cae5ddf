"""The format by which spec-kit's files are known to the registry."""

from __future__ import annotations

from autopilot.planning.formats.format import Format
from autopilot.planning.formats.speckit.marking import mark
from autopilot.planning.formats.speckit.places import PLACES, find
from autopilot.planning.formats.speckit.reading import read

SPECKIT = Format("spec-kit", "spec-kit (specs/NNN-name/)", PLACES, find, read, mark)
