"""``init``: prepares a repository without changing anything the user wrote."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from autopilot.adapters.git.checkout.documents import write_document
from autopilot.api.assembly import Assembly
from autopilot.engine.inputs import CONFIG, ROADMAPS, manifests, read_config
from autopilot.model.policy import Commands
from autopilot.planning.config.commands import detect_commands
from autopilot.planning.config.config import merge_commands, set_commands

PLANNING = ".planning"
SKELETON = Path(__file__).parent / "skeleton" / "ROADMAP.md"


class Prepared(Struct, frozen=True):
    written: tuple[str, ...]
    kept: tuple[str, ...]
    commands: Commands
    to_commit: tuple[str, ...]  # written now or never added; none if git ignores the planning folder
    template: bool = False  # the roadmap is still to be filled in
    forced: bool = False  # git ignores the planning folder although some of it is committed


def prepare_repository(assembly: Assembly) -> Prepared:
    checkout = assembly.ports.checkout
    config = read_config(checkout)
    detected = detect_commands(manifests(checkout))
    before = (checkout.read(CONFIG) or b"").decode("utf-8", "replace")
    files = {CONFIG: set_commands(before, detected) or "{}\n"}
    roadmap = next((path for path in ROADMAPS if checkout.read(path) is not None), None)
    if roadmap is None:
        files[ROADMAPS[0]] = SKELETON.read_text(encoding="utf-8")
    written = tuple(path for path, text in files.items() if path != CONFIG or text != before)
    for path in written:
        write_document(checkout.path, path, files[path].encode())
    kept = (*(path for path in files if path not in written), *((roadmap,) if roadmap else ()))
    facts = checkout.facts()
    to_commit = () if facts.planning_ignored else tuple(dict.fromkeys((*written, *checkout.untracked(PLANNING))))
    template = checkout.read(roadmap or ROADMAPS[0]) == SKELETON.read_bytes()
    return Prepared(written, kept, merge_commands(config, detected), to_commit, template, facts.new_planning_ignored)
