"""Where people and their tools keep credentials: in the home, in a checkout, in a repository's configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

IN_HOME = (
    ".npmrc",
    ".yarnrc.yml",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".gitconfig",
    ".config/git/credentials",
    ".config/git/config",
    ".config/gh/hosts.yml",
    ".config/glab-cli/config.yml",
    ".config/hub",
    ".pypirc",
    ".pip/pip.conf",
    ".config/pip/pip.conf",
    ".aws/credentials",
    ".azure/msal_token_cache.json",
    ".config/gcloud/application_default_credentials.json",
    ".docker/config.json",
    ".config/containers/auth.json",
    ".kube/config",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".pgpass",
    ".my.cnf",
    ".boto",
    ".s3cfg",
    ".databrickscfg",
    ".config/rclone/rclone.conf",
    ".cache/huggingface/token",
    ".huggingface/token",
    ".fly/config.yml",
    # The user's own logins of agents: never mounted, and never shown either.
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".local/share/opencode/auth.json",
)
IN_CHECKOUT = frozenset(
    {".npmrc", ".yarnrc.yml", ".netrc", ".pypirc", ".pgpass", ".my.cnf", "master.key", "auth.json", ".envrc"}
)
ENV_FILE = ".env"
FOR_EVERYBODY = (".example", ".sample", ".template", ".dist")  # to be copied and filled in
KEY_SUFFIXES = (".pem", ".key", ".p8")
SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "vendor", "target", "dist", "build", "__pycache__"})
DEEPEST = 3
MOST_FOLDERS = 2_000


def credential_files(home: Path | None, checkout: Path, git_directory: Path) -> Iterator[Path]:
    """Files that may hold secrets, there or not. Nothing is read yet."""
    if home is not None:
        yield from (home / name for name in IN_HOME)
        yield from _ssh_keys(home / ".ssh")
    yield git_directory / "config"  # a remote's URL may hold a token
    yield from _in_checkout(checkout)


def _ssh_keys(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(folder.iterdir())
    except OSError:
        return
    yield from (path for path in found if path.suffix != ".pub" and not path.name.startswith("known_hosts"))


def _in_checkout(checkout: Path) -> Iterator[Path]:
    """Not only at its top: projects within a project have their own. Bounded, for a checkout may hold anything."""
    top = len(checkout.parts)
    for number, (folder, below, names) in enumerate(os.walk(checkout), start=1):
        if number > MOST_FOLDERS:
            return
        depth = len(Path(folder).parts) - top
        below[:] = [] if depth >= DEEPEST else sorted(name for name in below if name not in SKIPPED)
        yield from (Path(folder, name) for name in sorted(names) if _may_hold_secrets(name))


def _may_hold_secrets(name: str) -> bool:
    is_env = (name == ENV_FILE or name.startswith(f"{ENV_FILE}.") or name.endswith(ENV_FILE)) and not name.endswith(
        FOR_EVERYBODY
    )
    return is_env or name in IN_CHECKOUT or name.endswith(KEY_SUFFIXES)
