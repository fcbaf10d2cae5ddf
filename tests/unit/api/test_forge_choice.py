"""Who is shown the work: nobody, unless the user's settings name a forge. covers: T1"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.gh import GhForge
from autopilot.adapters.forge.none import NoForge
from autopilot.adapters.forge.rest import RestForge
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.home import home_of
from autopilot.api.assembly import Repository, make_forge
from autopilot.model.forge import ForgeConfig
from autopilot.model.secrecy.redaction import Redactor
from autopilot.settings.reading import Settings


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (None, NoForge),
        ("none", NoForge),
        ("git", BareForge),
        ("gh", GhForge),
        ("glab", RestForge),
        ("gitea", RestForge),
    ],
)
def test_the_forge_is_the_one_the_settings_name(tmp_path: Path, said: str | None, kind: type) -> None:
    repository = Repository(tmp_path, tmp_path / ".git", home_of(tmp_path / "state", tmp_path / ".git"))
    settings = Settings(tmp_path, {}) if said is None else Settings(tmp_path, {}, forge=ForgeConfig(said))
    vault = GitVault(tmp_path / "vault.git", tmp_path)
    assert type(make_forge(repository, settings, vault, Redactor({}))) is kind
    vault.close()
