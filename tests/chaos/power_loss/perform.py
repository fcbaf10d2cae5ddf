"""A program: perform one piece, as it is or with a bug planted into it.

python -m tests.chaos.power_loss.perform PIECE FOLDER

Its exit status is 3 where the product gave up with an error of its own, which it prints.
"""

from __future__ import annotations

import sys
from pathlib import Path

from autopilot.model.errors import AutopilotError
from tests.chaos.power_loss.pieces.files import FilesPiece
from tests.chaos.power_loss.pieces.journal import JournalPiece
from tests.chaos.power_loss.pieces.landing import LandingPiece
from tests.chaos.power_loss.pieces.piece import Piece
from tests.chaos.power_loss.pieces.vault import VaultPiece
from tests.chaos.power_loss.planted import PLANTED

PIECES: dict[str, Piece] = {
    "journal": JournalPiece(),
    "files": FilesPiece(),
    "vault": VaultPiece(),
    "landing": LandingPiece(),
}
GAVE_UP = 3


def main(name: str, folder: str) -> int:
    try:
        ({**PIECES, **PLANTED}[name]).perform(Path(folder))
    except AutopilotError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return GAVE_UP
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
