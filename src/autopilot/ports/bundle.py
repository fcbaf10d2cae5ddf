"""Everything outside that a run needs, in one hand."""

from __future__ import annotations

from msgspec import Struct

from autopilot.ports.agent import Agents
from autopilot.ports.blobs import Blobs
from autopilot.ports.clock import Clock
from autopilot.ports.eyes import Eyes
from autopilot.ports.forge import Forge
from autopilot.ports.git import Checkout, Vault, Workspaces
from autopilot.ports.interrupts import Interrupts
from autopilot.ports.journal import Journal
from autopilot.ports.layers import Layers
from autopilot.ports.repomap import Maps
from autopilot.ports.sandbox import Sandbox
from autopilot.ports.transcripts import Transcripts
from autopilot.ports.word_search import WordSearch


class Ports(Struct, frozen=True):
    journal: Journal
    vault: Vault
    workspaces: Workspaces
    checkout: Checkout
    sandbox: Sandbox
    layers: Layers
    agents: Agents
    transcripts: Transcripts
    blobs: Blobs
    clock: Clock
    interrupts: Interrupts
    forge: Forge
    maps: Maps
    word_search: WordSearch
    eyes: Eyes | None = None  # for interfaces; None where nothing is to be looked at
