"""Caches of package managers: a setup reads what the user has, and leaves it as it is. No check sees them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from autopilot.adapters.caches import find_caches
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import Exited, Outcome, Profile, run

# covers: T5.caches
MODULE = "example.org/greeting"


@pytest.fixture
def home(place) -> Path:
    """A home with something in every cache, readable for whom root's commands run as."""
    home = place.folder / "user"
    for name in (".cache/pip/wheel", ".npm/_cacache/entry", ".cargo/registry/cache/crate", ".cargo/registry/src/old"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("cached\n")
    versions = home / "go/pkg/mod/cache/download" / MODULE / "@v"
    versions.mkdir(parents=True)
    (versions / "list").write_text("v1.0.0\n")
    (versions / "v1.0.0.info").write_text(json.dumps({"Version": "v1.0.0", "Time": "2026-01-01T00:00:00Z"}))
    (versions / "v1.0.0.mod").write_text(f"module {MODULE}\n")
    with zipfile.ZipFile(versions / "v1.0.0.zip", "w") as packed:
        packed.writestr(f"{MODULE}@v1.0.0/go.mod", f"module {MODULE}\n")
        packed.writestr(f"{MODULE}@v1.0.0/greeting.go", 'package greeting\n\nconst Hello = "hello"\n')
    place.open_to_all()
    return home


@pytest.fixture
def cached(place, home) -> Bubblewrap:
    caches = find_caches(("pip", "npm", "cargo", "go"), {"HOME": str(home)}, is_owner=True)
    sandbox = Bubblewrap(place.state, caches=caches)
    sandbox.give_away(place.backing)
    return sandbox


def install(sandbox: Bubblewrap, place, setup: str) -> Layer | Outcome:
    layers = DependencyLayers(place.state / "layers", sandbox)
    return layers.ensure(
        SetupRun(setup, PurePosixPath(place.project), 60, "setup", network=False), PurePosixPath(place.backing)
    )


def test_a_setup_reads_them_and_what_it_writes_is_gone(cached, place, home) -> None:
    setup = """cat "$PIP_CACHE_DIR/wheel" "$npm_config_cache/_cacache/entry" >read.txt || exit 1
        echo changed >"$PIP_CACHE_DIR/new" || exit 2; mv "$npm_config_cache/_cacache" "$npm_config_cache/gone"
        ! test -w "$PIP_CACHE_DIR/wheel" || echo changed >"$PIP_CACHE_DIR/wheel"; exit 0"""
    layer = install(cached, place, setup)
    assert isinstance(layer, Layer), layer
    assert Path(layer.project, "read.txt").read_text() == "cached\ncached\n"
    assert (home / ".cache/pip/wheel").read_text() == "cached\n"
    assert (home / ".npm/_cacache/entry").read_text() == "cached\n"
    assert not (home / ".cache/pip/new").exists()


def test_what_tests_need_later_is_part_of_what_setup_installed(cached, place, home) -> None:
    layer = install(cached, place, "true")
    assert isinstance(layer, Layer), layer
    assert Path(layer.home, ".cargo/registry/cache/crate").read_text() == "cached\n"
    assert not Path(layer.home, ".cargo/registry/src").exists()
    (home / ".cargo/registry/cache/crate").unlink()
    assert Path(layer.home, ".cargo/registry/cache/crate").exists(), "a cache that is emptied takes nothing with it"


def test_go_finds_its_modules_there_without_a_network(cached, place) -> None:
    (place.backing / "go.mod").write_text(f"module project\n\ngo 1.19\n\nrequire {MODULE} v1.0.0\n")
    (place.backing / "main.go").write_text(
        f'package main\n\nimport "{MODULE}"\n\nfunc main() {{ println(greeting.Hello) }}\n'
    )
    cached.give_away(place.backing)
    layer = install(cached, place, "GONOSUMDB=* GOFLAGS=-mod=mod go mod download all && GONOSUMDB=* go mod tidy")
    assert isinstance(layer, Layer), layer
    given = {"layers": (layer.project,), "home_layers": (layer.home,)}
    ran = run(cached, place.sh("GOFLAGS=-mod=mod GOPROXY=off go run .", timeout_s=120.0, **given))
    assert (ran.ended, ran.output) == (Exited(0), b"hello\n")


@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.AGENT])
def test_nobody_else_sees_them(cached, place, profile) -> None:
    seen = run(cached, place.sh("ls /tmp/caches; env", profile=profile)).output
    assert b"No such file" in seen and b"PIP_CACHE_DIR" not in seen


def test_only_caches_that_are_there_and_can_be_used_are_found(home) -> None:
    own = {"HOME": str(home)}
    assert [cache.name for cache in find_caches(("pip", "go"), own, is_owner=True)] == ["pip", "go"]
    assert [cache.name for cache in find_caches(("pip", "npm", "go"), own, is_owner=False)] == ["go"]
    assert find_caches(("pip",), {**own, "PIP_CACHE_DIR": "/nowhere"}, is_owner=True) == ()
    assert find_caches(("npm",), {"HOME": "/nowhere"}, is_owner=True) == ()
