"""Of a repository with several packages: which of them some files lie in, and the checks of those alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from autopilot.model.policy import CHECKS, Commands


def find_nearest(files: Sequence[str], packages: Collection[str]) -> tuple[str, ...]:
    """The package of each file, known by the longest folder above it; "" is the root's own.

    () where nothing is known of one of them, or of which files there are: then no package may be left out.
    """
    found = [_package_of(path, packages) for path in files]
    near = tuple(sorted({package for package in found if package is not None}))
    return near if found and None not in found else ()


def commands_of(near: Sequence[str], packages: Mapping[str, Commands], whole: Commands) -> Commands:
    """The checks of these packages, and those of the whole that no package has a command of its own for."""
    checks = {name: _joined(name, near, packages, whole) for name in CHECKS}
    return Commands(setup=whole.setup, **checks)


def _joined(name: str, near: Sequence[str], packages: Mapping[str, Commands], whole: Commands) -> str | None:
    is_of_packages = any(getattr(commands, name) for commands in packages.values())
    if not getattr(whole, name) or not is_of_packages:
        return getattr(whole, name) or None
    parts = [command for package in near if (command := getattr(packages[package], name))]
    return parts[0] if len(parts) == 1 else " && ".join(f"({part})" for part in parts) or None


def _package_of(path: str, packages: Collection[str]) -> str | None:
    """A pattern that may reach out of a folder lies in none."""
    plain = path.strip().removeprefix("./")
    fixed = plain.partition("*")[0].rpartition("/")[0] + "/" if "*" in plain else plain
    above = [package for package in packages if not package or fixed.startswith(f"{package}/")]
    return max(above, key=len, default=None) if plain and not plain.startswith(("/", "../")) else None
