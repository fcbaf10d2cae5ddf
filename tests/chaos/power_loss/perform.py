"""A program: perform one piece, as it is or with a bug planted into it.

python -m tests.chaos.power_loss.perform PIECE FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

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

if __name__ == "__main__":
    ({**PIECES, **PLANTED}[sys.argv[1]]).perform(Path(sys.argv[2]))
