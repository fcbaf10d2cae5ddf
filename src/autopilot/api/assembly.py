"""Assembles the adapters of all ports for one repository and its home."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from autopilot.adapters.agents.known import KnownAgents
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.credentials.files import credential_files
from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.gh import GhForge
from autopilot.adapters.forge.none import NoForge
from autopilot.adapters.forge.opening import make_rest_forge
from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.ownership import refuse_foreign
from autopilot.adapters.git.repository import locate
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.adapters.home import Home, home_of, open_home
from autopilot.adapters.interruption import Interruption
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import open_key
from autopilot.adapters.lock import CheckoutLock, FileLock
from autopilot.adapters.redaction import make_redactor
from autopilot.adapters.repomap.vault_maps import VaultMaps
from autopilot.adapters.repomap.word_search import GitWordSearch
from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.adapters.visual.chromium import ChromiumEyes
from autopilot.api.missing_record import find_lost_record
from autopilot.api.people.notifications import Announcer, make_notifiers
from autopilot.model.forge import ForgeKind
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.secrecy.secrets import address_values
from autopilot.ports.bundle import Ports
from autopilot.ports.clock import Clock
from autopilot.ports.forge import Forge
from autopilot.settings.reading import Settings
from autopilot.settings.sandboxes import make_sandbox
from autopilot.simulation.scripted.agent import ScriptedAgent


class Repository(Struct, frozen=True):
    """The user's repository and the folder of its records."""

    path: Path
    git_directory: Path
    home: Home


class Assembly(Struct, frozen=True):
    repository: Repository
    ports: Ports
    lock: FileLock
    checkout_lock: CheckoutLock
    interruption: Interruption
    redactor: Redactor
    announcer: Announcer


def find_repository(start: Path, settings: Settings, *, to_read: bool = False) -> Repository:
    path, git_directory = locate(start, to_read=to_read)
    refuse_foreign(path, settings.environment)
    return Repository(path, git_directory, home_of(settings.state, git_directory))


def assemble(repository: Repository, settings: Settings, clock: Clock | None = None) -> Assembly:
    """Open everything for a process that may write. Nothing is created in the user's checkout."""
    clock = clock or SystemClock()
    home = open_home(settings.state, repository.git_directory)
    roster = settings.roster()
    redactor = known_secrets(repository, settings)
    if not home.journal.exists() and (lost := find_lost_record(home, repository.path)):
        raise lost  # a new record in its place would look as if nothing had ever been run
    journal = SqliteJournal(home.journal, open_key(home.key, home.journal), clock)
    interruption = Interruption(journal)
    vault = GitVault(home.vault, repository.path, interruption.reason)
    toolchains = find_toolchains(settings.environment.get("PATH", ""))
    sandbox = make_sandbox(home.root, settings, toolchains, interruption.reason)
    blobs = FileBlobs(home.blobs, redactor)
    transcripts = FileTranscripts(home.live, blobs)
    ports = Ports(
        journal=journal,
        vault=vault,
        workspaces=GitWorkspaces(home.workspaces, vault, sandbox.give_away),
        checkout=GitCheckout(repository.path, vault, _environment_home(settings)),
        sandbox=sandbox,
        layers=DependencyLayers(home.layers, sandbox, toolchains),
        agents=KnownAgents(roster, sandbox, transcripts, ScriptedAgent),
        transcripts=transcripts,
        blobs=blobs,
        clock=clock,
        interrupts=interruption,
        forge=make_forge(repository, settings, vault, redactor),
        maps=VaultMaps(home.repomap, vault.git, processes=2),
        word_search=GitWordSearch(vault.git),
        eyes=ChromiumEyes(sandbox, FileBlobs(home.visual, redactor), settings.environment.get("PATH", "")),
    )
    announcer = Announcer(make_notifiers(settings), settings.notify.on, repository.path, journal, redactor)
    checkout_lock = CheckoutLock(repository.git_directory, clock)
    return Assembly(repository, ports, FileLock(home.lock, clock), checkout_lock, interruption, redactor, announcer)


def make_forge(repository: Repository, settings: Settings, vault: GitVault, redactor: Redactor) -> Forge:
    """The forge that the user's settings name: a repository must not decide to publish work."""
    config = settings.forge
    if config.kind == ForgeKind.NONE:
        return NoForge()
    remote = BareForge(vault, repository.path, config.remote, settings.environment)
    if config.kind == ForgeKind.GIT:
        return remote
    if config.kind in (ForgeKind.GLAB, ForgeKind.GITEA):
        return make_rest_forge(config, remote, vault.path, settings.environment, redactor)
    return GhForge(remote, repository.path, vault.path, settings.environment, redactor, config.base)


def known_secrets(repository: Repository, settings: Settings) -> Redactor:
    """Redacts the secrets of the environment, of credential files and of the agents."""
    roster = settings.roster()
    files = credential_files(_environment_home(settings), repository.path, repository.git_directory)
    credentials = (*roster.credential_files(), *files)
    webhook = settings.notify.webhook
    headers = settings.telemetry_headers
    forge_token = settings.environment.get(settings.forge.token_env, "")
    known = {
        **settings.granted,
        **({settings.forge.token_env: forge_token} if forge_token else {}),
        **roster.secrets(),
        **headers,
        **(address_values("webhook", webhook) if webhook else {}),
    }
    return make_redactor(settings.environment, credentials, known)


def _environment_home(settings: Settings) -> Path | None:
    return Path(settings.environment["HOME"]) if settings.environment.get("HOME") else None
