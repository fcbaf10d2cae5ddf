"""The forge of a host that the user's settings name, for the repository that the remote names on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from autopilot.adapters.forge.addresses import repository_at
from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.gitea import NAME, GiteaDialect
from autopilot.adapters.forge.gitlab import GitLabDialect, Glab
from autopilot.adapters.forge.http_api import HttpApi
from autopilot.adapters.forge.rest import Dialect, RestForge
from autopilot.model.forge import ForgeConfig, ForgeKind
from autopilot.model.secrecy.redaction import Redactor

GITLAB = "https://gitlab.com"


def make_rest_forge(
    config: ForgeConfig, remote: BareForge, vault: Path, environment: Mapping[str, str], redactor: Redactor
) -> RestForge:
    """The remote is read at the first use: one that does not fit must not keep a run from starting."""
    root = config.url or GITLAB
    host = urlsplit(root).hostname or ""

    def of_gitlab() -> Dialect:
        return GitLabDialect(root, repository_at(remote.address(), host))

    def of_gitea() -> Dialect:
        return GiteaDialect(root, repository_at(remote.address(), host))

    if config.kind == ForgeKind.GLAB:
        return RestForge(remote, Glab(host, vault, environment), of_gitlab, redactor, config.base)
    token = environment.get(config.token_env, "")
    api = HttpApi(NAME, f"{root.rstrip('/')}/api/v1", token, config.token_env)
    return RestForge(remote, api, of_gitea, redactor, config.base)
