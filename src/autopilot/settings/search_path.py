"""Which folders of the ``PATH`` programs are looked for in: only those that are named whole."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def without_relative_folders(environment: Mapping[str, str]) -> dict[str, str]:
    """A folder of the ``PATH`` that is not named whole is looked for where we stand: it would be the repository's."""
    if "PATH" not in environment:
        return dict(environment)
    folders = [folder for folder in environment["PATH"].split(os.pathsep) if Path(folder).is_absolute()]
    return {**environment, "PATH": os.pathsep.join(folders)}


def leave_relative_folders() -> None:
    """The same for this process itself: libraries start programs by their names, such as the user's browser.

    An empty ``PATH`` would mean the folder we stand in once more.
    """
    os.environ["PATH"] = without_relative_folders(os.environ).get("PATH") or os.defpath
