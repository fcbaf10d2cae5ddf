"""``init``: a repository made ready, without touching a word the user wrote."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from autopilot.adapters.files import write_atomically
from autopilot.api.assembly import Assembly
from autopilot.engine.inputs import CONFIG, ROADMAPS, manifests, read_config
from autopilot.model.policy import Commands
from autopilot.planning.commands import detect_commands
from autopilot.planning.config import merge_commands, set_commands

SKELETON = Path(__file__).parent / "skeleton" / "ROADMAP.md"


class Prepared(Struct, frozen=True):
    written: tuple[str, ...]
    kept: tuple[str, ...]
    commands: Commands


def prepare_repository(assembly: Assembly) -> Prepared:
    checkout = assembly.ports.checkout
    written: list[str] = []
    kept: list[str] = []
    config = read_config(checkout)
    detected = detect_commands(manifests(checkout))
    before = (checkout.read(CONFIG) or b"").decode("utf-8", "replace")
    after = set_commands(before, detected) or "{}\n"
    _write_if_new(checkout.path / CONFIG, before, after, written, kept, CONFIG)
    roadmap = next((path for path in ROADMAPS if checkout.read(path) is not None), None)
    if roadmap is None:
        _write_if_new(checkout.path / ROADMAPS[0], "", SKELETON.read_text(encoding="utf-8"), written, kept, ROADMAPS[0])
    else:
        kept.append(roadmap)
    return Prepared(tuple(written), tuple(kept), merge_commands(config, detected))


def _write_if_new(path: Path, before: str, after: str, written: list[str], kept: list[str], name: str) -> None:
    if after == before:
        kept.append(name)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, after.encode())
    written.append(name)
