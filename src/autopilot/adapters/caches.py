"""The user's caches of package managers, for setups: read as they are, written to a layer that is thrown away.

A setup that finds a package there downloads nothing, and nothing that a package does can change what the user has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.ports.sandbox import CommandSpec, Profile

PLACE = PurePosixPath("/tmp/caches")
# Where each keeps its own below the home, and the variable of the user's that says otherwise.
FOLDERS = {
    "pip": (".cache/pip", "PIP_CACHE_DIR"),
    "npm": (".npm", "npm_config_cache"),
    "cargo": (".cargo/registry", ""),
    "go": ("go/pkg/mod", "GOMODCACHE"),
}
# pip and npm keep what they download apart from what they install. The other two use it where it lies, also when tests
# are run: go takes copies from a folder as from a server, and for cargo its packages are copied.
_VARIABLES = {"pip": "PIP_CACHE_DIR", "npm": "npm_config_cache"}
_PRELUDES = {
    "go": f'export GOPROXY="file://{PLACE}/go/cache/download|$(go env GOPROXY 2>/dev/null || echo direct)"',
    "cargo": (
        f'for part in cache index; do mkdir -p "$HOME/.cargo/registry" && '
        f'cp -a --reflink=auto "{PLACE}/cargo/$part" "$HOME/.cargo/registry/" 2>/dev/null; done'
    ),
}


class Cache(Struct, frozen=True):
    name: str
    folder: Path

    @property
    def overlay(self) -> str:
        """Its name among the folders of one command."""
        return f"cache-{self.name}"


def find_caches(names: Iterable[str], environment: Mapping[str, str], *, is_owner: bool) -> tuple[Cache, ...]:
    """Those that are there, at a path that an overlay can take.

    ``is_owner``: commands run as whom they belong to, not as the other user that root's commands run as. pip and npm
    write into the folders of their caches, and fail where they may not.
    """
    home = Path(environment.get("HOME", "/"))
    found = []
    for name in (name for name in names if is_owner or name not in _VARIABLES):
        below, variable = FOLDERS[name]
        folder = Path(environment.get(variable) or home / below)
        if folder.is_dir() and folder.is_absolute() and not any(letter in str(folder) for letter in ',:\\"\n'):
            found.append(Cache(name, folder))
    return tuple(found)


def caches_of(spec: CommandSpec, caches: tuple[Cache, ...]) -> tuple[Cache, ...]:
    """Checks have what setup installed, and agents their own network."""
    return caches if spec.profile is Profile.SETUP else ()


def lead_to(spec: CommandSpec, caches: tuple[Cache, ...]) -> CommandSpec:
    """The command, with its package managers led to the caches."""
    preludes = "; ".join(_PRELUDES[cache.name] for cache in caches if cache.name in _PRELUDES)
    variables = {_VARIABLES[cache.name]: str(PLACE / cache.name) for cache in caches if cache.name in _VARIABLES}
    argv = ("bash", "-c", f'{preludes}; exec "$@"', "bash", *spec.argv) if preludes else spec.argv
    return replace(spec, argv=argv, env={**variables, **spec.env})
