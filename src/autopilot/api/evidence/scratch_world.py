"""Ports for repeating recorded evidence: they read the records of a repository and write into a scratch folder.

Exports, blobs, processes and new dependency layers go into the scratch folder, so that no lock is needed and a run in
progress is not affected. Existing layers are used in place.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import translated
from autopilot.adapters.forge.none import NoForge
from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.adapters.interruption import Interruption
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.repomap.vault_maps import VaultMaps
from autopilot.adapters.repomap.word_search import GitWordSearch
from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.api.agents import make_trial_agents
from autopilot.api.assembly import Repository, known_secrets
from autopilot.ports.bundle import Ports
from autopilot.settings.reading import Settings
from autopilot.settings.sandboxes import make_sandbox


@contextmanager
def scratch_world(repository: Repository, settings: Settings) -> Iterator[Ports]:
    """The scratch folder is removed at the end."""
    scratch = Path(tempfile.mkdtemp(prefix="autopilot-scratch-"))
    try:
        yield _ports(repository, settings, scratch)
    finally:
        remove_tree(scratch)


def _ports(repository: Repository, settings: Settings, scratch: Path) -> Ports:
    home, clock = repository.home, SystemClock()
    journal = SqliteJournal(home.journal, read_key(home.key), clock, readonly=True)
    vault = GitVault(home.vault, repository.path)
    toolchains = find_toolchains(settings.environment.get("PATH", ""))
    sandbox = make_sandbox(scratch, settings, toolchains)
    blobs = FileBlobs(scratch / "blobs", known_secrets(repository, settings))
    return Ports(
        journal=journal,
        vault=vault,
        workspaces=GitWorkspaces(scratch / "workspaces", vault, sandbox.give_away),
        checkout=GitCheckout(repository.path, vault),
        sandbox=sandbox,
        layers=DependencyLayers(_link_layers(home.layers, scratch / "layers"), sandbox, toolchains),
        agents=make_trial_agents(settings.roster(), sandbox, scratch),
        transcripts=FileTranscripts(scratch / "live", blobs),
        blobs=blobs,
        clock=clock,
        interrupts=Interruption(journal),
        forge=NoForge(),  # repeating evidence publishes nothing
        maps=VaultMaps(scratch / "repomap.db", vault.git, processes=1),
        word_search=GitWordSearch(vault.git),
    )


def _link_layers(made: Path, folder: Path) -> Path:
    """Link every finished layer; layers built here do not reach the run in progress."""
    with translated(folder):
        folder.mkdir(mode=0o700)
        for layer in made.iterdir() if made.is_dir() else ():
            if not layer.name.startswith("making-"):
                (folder / layer.name).symlink_to(layer)
    return folder
