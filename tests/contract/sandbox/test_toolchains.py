"""Toolchains in a home are shown again, and nothing else of that home (T5)."""

from __future__ import annotations

import sys
from pathlib import Path

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.toolchains import find_toolchains, is_installation, render_path
from autopilot.ports.sandbox import Exited, run

# covers: T5


def install_node(prefix: Path) -> Path:
    (prefix / "bin").mkdir(parents=True)
    (prefix / "lib/node_modules").mkdir(parents=True)
    node = prefix / "bin/node"
    node.write_text("#!/bin/sh\necho v99\n")
    node.chmod(0o755)
    return prefix


def test_an_installation_on_the_users_path_is_found(tmp_path) -> None:
    prefix = install_node(tmp_path / "versions/node/99")
    assert prefix in find_toolchains(f"{prefix}/bin:/usr/bin")
    assert prefix not in find_toolchains("/usr/bin")


def test_the_users_installations_stand_before_this_python(tmp_path) -> None:
    prefix = install_node(tmp_path / "versions/node/99")
    assert find_toolchains(f"{prefix}/bin")[0] == prefix


def test_a_link_in_a_home_leads_to_the_installation_not_to_the_home(tmp_path) -> None:
    prefix = install_node(tmp_path / "versions/99")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/node").symlink_to(prefix / "bin/node")
    found = find_toolchains(str(tmp_path / "bin"))
    assert prefix in found
    assert tmp_path not in found


def test_go_and_the_default_of_rustup_are_found(tmp_path) -> None:
    go, rust = tmp_path / "sdk/go1.22", tmp_path / ".rustup/toolchains/stable-x86_64-unknown-linux-gnu"
    programs = [go / "bin/go", rust / "bin/cargo", tmp_path / ".cargo/bin/rustup"]
    for folder in (go / "src/runtime", rust / "lib/rustlib", *(program.parent for program in programs)):
        folder.mkdir(parents=True)
    for program in programs:
        program.touch(mode=0o755)
    (tmp_path / ".cargo/bin/cargo").symlink_to("rustup")
    path = f"{go}/bin:{tmp_path}/.cargo/bin"
    assert not {go.parent, tmp_path / ".cargo", tmp_path} & set(find_toolchains(path))
    assert rust not in find_toolchains(path)
    (tmp_path / ".rustup/settings.toml").write_text('default_toolchain = "stable"\n')
    assert find_toolchains(path)[:2] == (go, rust)


def test_behind_a_shim_of_a_version_manager_is_the_version_it_stands_for(tmp_path) -> None:
    prefix = install_node(tmp_path / ".nodenv/versions/99.1.0")
    shims = tmp_path / ".nodenv/shims"
    shims.mkdir()
    (shims / "node").write_text("#!/bin/sh\nexec nodenv exec node\n")
    (shims / "node").chmod(0o755)
    assert prefix not in find_toolchains(str(shims))
    (tmp_path / ".nodenv/version").write_text("99.1.0\n")
    assert prefix in find_toolchains(str(shims))
    assert shims.parent not in find_toolchains(str(shims))


def test_what_the_system_installed_is_shown_in_any_case() -> None:
    found = find_toolchains("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    assert [folder for folder in found if folder.is_relative_to("/usr/lib")] == []


def test_a_home_or_a_local_folder_is_not_an_installation(tmp_path) -> None:
    (tmp_path / ".local/lib/python3.11").mkdir(parents=True)
    (tmp_path / ".local/lib/python3.11/os.py").touch()
    (tmp_path / "bin").mkdir()
    assert not is_installation(tmp_path / ".local")
    assert not is_installation(tmp_path)
    assert not is_installation(Path("/usr"))


def test_this_python_counts_unless_it_is_the_systems(tmp_path) -> None:
    own = Path(sys.base_prefix)
    assert (own in find_toolchains()) is (own != Path("/usr"))


def test_a_shown_toolchain_stands_first_on_the_path_and_its_neighbours_stay_hidden(place) -> None:
    prefix = install_node(place.folder / "versions/99")
    (place.folder / "secret").write_text("secret")
    sandbox = Bubblewrap(place.state, toolchains=(prefix,))
    assert run(sandbox, place.spec("node", "--version")).output == b"v99\n"
    assert run(sandbox, place.spec("cat", str(place.folder / "secret"))).ended != Exited(0)
    assert run(sandbox, place.sh(f"echo x >{prefix}/bin/node")).ended != Exited(0)
    assert render_path((prefix,)).startswith(f"{prefix}/bin:/usr/local/bin")
