"""Toolchains in a home are shown again, and nothing else of that home (T5).

Programs that setup installed in the project are found by their names, and nobody else's are (T3.dependencies).
"""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.adapters.sandbox.toolchains import find_toolchains, is_installation, render_path
from autopilot.model.conditions import Environment, SearchPath, activate
from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import Exited, Profile, Sandbox, run

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


# covers: T3.dependencies, T8.S
SETUP = "python3 -m venv --without-pip .venv"
LAUNCHER = """#!{python}
# -*- coding: utf-8 -*-
import re
import sys
from {package} import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""


@pytest.fixture
def layers(place, sandbox: Sandbox) -> DependencyLayers:
    return DependencyLayers(place.state / "layers", sandbox)


@pytest.fixture
def ensure(layers: DependencyLayers, place):
    def make(setup: str = SETUP) -> Layer:
        layer = layers.ensure(
            SetupRun(setup, PurePosixPath(place.project), 60.0, "setup"), PurePosixPath(place.backing)
        )
        assert isinstance(layer, Layer), layer
        return layer

    return make


def use(layer: Layer, at_base: Environment | None = None) -> dict:
    search = activate(at_base or layer.environment, layer.environment)
    return {"layers": (layer.project,), "home_layers": (layer.home,), "search": search}


ASK = "python -c 'import sys; print(sys.prefix)'; echo $VIRTUAL_ENV"


def test_python_is_that_of_the_environment_which_setup_made(place, sandbox, ensure) -> None:
    layer = ensure()
    assert layer.environment.folder == ".venv"
    active = run(sandbox, place.sh(ASK, **use(layer)))
    [prefix, variable] = active.output.decode().splitlines()
    assert prefix == variable
    assert prefix.endswith("/project/.venv")
    plain = run(sandbox, place.sh("python3 -c 'import sys; print(sys.prefix)'; echo $VIRTUAL_ENV"))
    assert b".venv" not in plain.output


def test_an_agent_has_the_environment_too(place, sandbox, ensure) -> None:
    layer = ensure()
    given = {"layers": (layer.project,), "search": activate(layer.environment, layer.environment)}
    outcome = run(sandbox, place.sh(ASK, profile=Profile.AGENT, **given))
    assert outcome.output.decode().splitlines()[0].endswith("/.venv")


def test_a_folder_that_only_looks_like_one_is_none(ensure) -> None:
    assert ensure("mkdir -p .venv/bin && touch .venv/bin/python").environment == Environment()
    assert ensure("ln -s /usr .venv").environment == Environment()


def test_the_usual_name_goes_first_and_any_name_will_do(ensure) -> None:
    make = "mkdir -p {0}/bin && touch {0}/pyvenv.cfg {0}/bin/python"
    assert ensure(make.format("tools-env")).environment.folder == "tools-env"
    assert ensure(" && ".join(map(make.format, ("another", "venv", "env")))).environment.folder == "venv"


def test_programs_beside_an_environment_are_searched_last(place, sandbox, ensure) -> None:
    tool = "printf '#!/bin/sh\\necho of the project\\n' >node_modules/.bin/{0}; chmod +x node_modules/.bin/{0}"
    layer = ensure(f"mkdir -p node_modules/.bin && {tool.format('grep')} && {tool.format('shelf-lint')}")
    assert layer.environment.tools == ("node_modules/.bin",)
    outcome = run(sandbox, place.sh("shelf-lint; grep --version | head -1", **use(layer)))
    assert outcome.output.startswith(b"of the project\ngrep (")


def test_a_commit_with_anything_in_its_folder_has_no_say_in_what_a_name_means(place, sandbox, ensure) -> None:
    base = ensure().environment
    decoy = place.backing / ".venv" / "bin" / "grep"
    decoy.parent.mkdir(parents=True)
    decoy.write_text("#!/bin/sh\necho decoy\n")
    decoy.chmod(0o755)
    layer = ensure()
    assert layer.environment == Environment()
    outcome = run(sandbox, place.sh("echo x | grep -c x", **use(layer, base)))
    assert (outcome.ended, outcome.output) == (Exited(0), b"1\n")
    # The decoy would do what it is there for, were its folder searched first.
    control = {**use(layer), "search": SearchPath(first=(".venv/bin",))}
    assert run(sandbox, place.sh("echo x | grep -c x", **control)).output == b"decoy\n"


def test_what_the_setup_of_the_work_puts_in_front_stands_behind(place, sandbox, ensure) -> None:
    put = "printf '#!/bin/sh\\necho decoy\\n' >.venv/bin/grep && chmod +x .venv/bin/grep"
    base, after = ensure().environment, ensure(f"{SETUP} && {put}")
    assert after.environment.programs.keys() - base.programs.keys() == {"grep"}
    outcome = run(sandbox, place.sh("echo x | grep -c x; test -z $VIRTUAL_ENV", **use(after, base)))
    assert (outcome.ended, outcome.output) == (Exited(0), b"1\n")
    control = {**use(after), "search": SearchPath(first=(".venv/bin",))}
    assert run(sandbox, place.sh("echo x | grep -c x", **control)).output == b"decoy\n"


def test_a_program_is_known_by_what_it_starts(place, layers, confined) -> None:
    """Another version of a package is the same program; a script that does more is another one."""
    project = place.folder / "project"  # a name without a space, which would lead through a shell
    project.mkdir()
    python = f"{project}/.venv/bin/python"
    plain = LAUNCHER.format(python=python, package="shelf.cli")
    texts = {
        "plain": plain,
        "moved": plain.replace("shelf.cli", "shelf.main.app").replace("import re\n", ""),
        "more": plain.replace("    sys.exit", "    open('x')\n    sys.exit"),
        "also": plain.replace("import sys\n", "import sys, os\n"),
        "elsewhere": plain.replace(python, f"{project}/python"),
    }
    for name, text in texts.items():
        (place.backing / f"program-{name}").write_text(text)
    copied = "; ".join(f"cp program-{name} .venv/bin/{name}; chmod +x .venv/bin/{name}" for name in texts)
    linked = "ln -s ../../program-plain .venv/bin/linked; cp /bin/true .venv/bin/true"
    own = DependencyLayers(place.state / "others", confined)
    layer = own.ensure(
        SetupRun(f"{SETUP}; {copied}; {linked}", PurePosixPath(project), 60.0, "setup"), PurePosixPath(place.backing)
    )
    assert isinstance(layer, Layer), layer
    found = dict(layer.environment.programs)
    assert (found["plain"], found["moved"], found["true"]) == ("starts shelf", "starts shelf", "binary")
    assert found["linked"] == "link to ../../program-plain"
    assert found["python3"] in ("of the machine", "link to python")
    assert len({found[name] for name in ("more", "also", "elsewhere")}) == 3
    assert not any(found[name].startswith("starts") for name in ("more", "also", "elsewhere"))


def test_a_layer_that_says_nothing_of_its_programs_has_none(layers, ensure, place) -> None:
    layer = ensure()
    Path(place.state, "layers", layer.key, "environment.json").unlink()
    assert ensure().environment == Environment()
