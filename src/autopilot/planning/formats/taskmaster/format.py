"""The format by which Task Master's files are known to the registry."""

from __future__ import annotations

from autopilot.planning.formats.format import Format
from autopilot.planning.formats.taskmaster.marking import mark, neutral
from autopilot.planning.formats.taskmaster.places import PLACES, find
from autopilot.planning.formats.taskmaster.reading import read

TASKMASTER = Format("task-master", "Task Master (.taskmaster/tasks/tasks.json)", PLACES, find, read, mark, neutral)
