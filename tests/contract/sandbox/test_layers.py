"""Setup runs once for a set of manifests; what it made lies below any checkout, with the network off (T3)."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from autopilot.adapters.sandbox.layers import DependencyLayers
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.ports.layers import Layer, SetupRun
from autopilot.ports.sandbox import Exited, Outcome, Profile, TimedOut, run

# covers: T3.dependencies, T5.network

# covers: T3
SETUP = "mkdir -p deps && echo installed >deps/tool && echo of-home >$HOME/cache && cp kept.txt deps/copy"


@pytest.fixture
def layers(place, confined) -> DependencyLayers:
    return DependencyLayers(place.state / "layers", confined)


@pytest.fixture
def ensure(layers, place):
    def make(setup: str = SETUP, timeout_s: float = 30.0, **more) -> Layer | Outcome:
        project, backing = PurePosixPath(place.project), PurePosixPath(place.backing)
        return layers.ensure(SetupRun(setup, project, timeout_s, "setup", **more), backing)

    return make


def use(place, layer: Layer) -> dict:
    return {"layers": (layer.project,), "home_layers": (layer.home,)}


def test_what_setup_made_stands_below_the_checkout(place, confined, ensure) -> None:
    layer = ensure()
    assert isinstance(layer, Layer)
    outcome = run(confined, place.sh("cat deps/tool $HOME/cache kept.txt", **use(place, layer)))
    assert (outcome.ended, outcome.output) == (Exited(0), b"installed\nof-home\noriginal\n")
    assert not (place.backing / "deps").exists()


def test_what_setup_put_beside_the_checkout_is_known_by_its_folders(place, ensure) -> None:
    # covers: T8.C
    setup = "mkdir -p deps/a/b folder/deps; echo x >deps/a/b/c; echo x >folder/deps/d; echo x >new.lock; ln -s . link; "
    layer = ensure(f"{setup} echo changed >kept.txt; echo more >>folder/deep.txt")
    assert isinstance(layer, Layer)
    assert layer.made == ("deps", "folder/deps", "link", "new.lock")
    (place.backing / "new.lock").write_text("tracked by now\n")
    again = ensure(f"{setup} echo changed >kept.txt; echo more >>folder/deep.txt")
    assert isinstance(again, Layer)
    assert (again.key, again.made) == (layer.key, ("deps", "folder/deps", "link"))


def test_a_setup_that_is_repeated_runs_although_its_layer_is_there_and_leaves_nothing(place, layers, ensure) -> None:
    assert isinstance(ensure(), Layer)
    kept = sorted((place.state / "layers").rglob("*"))
    setup, backing = SetupRun(SETUP, PurePosixPath(place.project), 30.0, "setup"), PurePosixPath(place.backing)
    (place.backing / "kept.txt").unlink()
    assert layers.repeat(setup, backing).ended == Exited(1), "it ran, and cp found nothing"
    (place.backing / "kept.txt").write_text("again\n")
    assert layers.repeat(setup, backing).ended == Exited(0)
    assert sorted((place.state / "layers").rglob("*")) == kept


def test_what_setup_removes_is_nothing_that_it_made(ensure) -> None:
    layer = ensure("rm -rf folder kept.txt; mkdir deps")
    assert isinstance(layer, Layer)
    assert layer.made == ("deps",)


def test_the_checkout_wins_over_its_layer(place, confined, ensure) -> None:
    layer = ensure("echo from-setup >kept.txt; rm -rf folder; mkdir deps; echo x >deps/tool")
    assert isinstance(layer, Layer)
    outcome = run(confined, place.sh("cat kept.txt folder/deep.txt deps/tool", **use(place, layer)))
    assert (outcome.ended, outcome.output) == (Exited(0), b"original\ndeep\nx\n")


def test_a_verification_cannot_change_the_layer(place, confined, ensure) -> None:
    layer = ensure()
    spoil = "echo spoilt >deps/tool; rm -f $HOME/cache; rm -rf deps && mkdir deps && [ ! -e deps/tool ]"
    assert run(confined, place.sh(spoil, **use(place, layer))).ended == Exited(0)
    assert run(confined, place.sh("cat deps/tool $HOME/cache", **use(place, layer))).output == b"installed\nof-home\n"


def test_a_layer_serves_another_commit_with_the_same_manifests(place, confined, ensure) -> None:
    layer = ensure()
    (place.backing / "folder/deep.txt").write_text("changed since\n")
    assert ensure() == layer
    outcome = run(confined, place.sh("cat folder/deep.txt deps/tool", **use(place, layer)))
    assert outcome.output == b"changed since\ninstalled\n"


def test_setup_runs_once(place, ensure, tmp_path) -> None:
    counting = "mkdir deps; date +%N >deps/when"
    first = ensure(counting)
    when = Path(first.project / "deps/when").read_text()
    assert ensure(counting) == first
    assert Path(first.project / "deps/when").read_text() == when


def test_another_manifest_lockfile_script_or_command_makes_another_layer(place, ensure) -> None:
    keys = {ensure().key}
    (place.backing / "package-lock.json").write_text("{}")
    keys.add(ensure().key)
    (place.backing / "folder/pyproject.toml").write_text("[project]")
    keys.add(ensure().key)
    keys.add(ensure(SETUP + " ").key)
    (place.backing / "install.sh").write_text("mkdir deps")
    keys.add(ensure("sh install.sh").key)
    (place.backing / "install.sh").write_text("mkdir deps more")
    keys.add(ensure("sh install.sh").key)
    assert len(keys) == 6
    (place.backing / "kept.txt").write_text("no manifest")
    assert ensure("sh install.sh").key in keys


HONEST = "mkdir -p deps; echo honest >deps/tool; if [ -e scripts/more.sh ]; then . scripts/more.sh; fi\n"
# By what rejected work leaves behind, apart from the manifest that the work after it has as well.
POISONS = {
    "the recipe": {"scripts/post.sh": "mkdir -p deps; echo poisoned >deps/tool\n"},
    "a script that is run where it is there": {"scripts/more.sh": "echo poisoned >deps/tool\n"},
    "more files than are remembered": {
        **{f"plug/{number}": "" for number in range(2_100)},
        "scripts/more.sh": "cat plug/* && echo poisoned >deps/tool\n",
    },
}


@pytest.mark.parametrize("name", POISONS)
def test_what_rejected_work_had_installed_is_not_found_by_the_work_after_it(place, confined, ensure, name) -> None:
    """Both have the same new manifest. What a setup reads besides is an agent's to write, and decides what it makes."""
    call = f"{'make -s deps' if name == 'the recipe' else 'sh scripts/post.sh'} && true"
    for folder in ("scripts", "plug"):
        (place.backing / folder).mkdir()
    (place.backing / "Makefile").write_text("deps:\n\t@sh scripts/post.sh\n")
    (place.backing / "scripts/post.sh").write_text(HONEST)
    (place.backing / "package.json").write_text('{"dependencies": {"tool": "1"}}')
    for path, text in POISONS[name].items():
        (place.backing / path).write_text(text)
    confined.give_away(place.backing)
    poisoned = ensure(call)
    tool = place.sh("cat deps/tool", **use(place, poisoned))
    assert run(confined, tool).output == b"poisoned\n" and ensure(call) == poisoned, "the control: it has its own"
    for path in POISONS[name]:
        (place.backing / path).unlink()
    (place.backing / "scripts/post.sh").write_text(HONEST)
    clean = ensure(call)
    assert run(confined, place.sh("cat deps/tool", **use(place, clean))).output == b"honest\n"
    assert ensure(call) == clean


INSTALL = "mkdir -p .site && cp -r lib/words .site/"


def write_product(place, name: str = "__init__.py", text: str = "def title(text):\n    return text.title()\n") -> None:
    (place.backing / "lib/words").mkdir(parents=True, exist_ok=True)
    (place.backing / "lib/words" / name).write_text(text)


def test_a_layer_with_a_copy_of_the_product_serves_that_version_alone(place, confined, ensure) -> None:
    """What is installed by copy is what the tests import: an old copy hides what is broken, and what is mended."""
    write_product(place)
    first = ensure(INSTALL)
    assert first.copies
    assert ensure(INSTALL) == first
    (place.backing / "folder/deep.txt").write_text("no part of it\n")
    assert ensure(INSTALL) == first
    write_product(place, text="def title(text):\n    return text.upper()\n")
    second = ensure(INSTALL)
    assert run(confined, place.sh("grep -o upper .site/words/__init__.py", **use(place, second))).output == b"upper\n"
    write_product(place, "more.py", "ONE = 1\n")
    assert len({first.key, second.key, ensure(INSTALL).key}) == 3


def test_the_layer_of_a_tree_made_for_one_check_can_be_removed(place, layers, ensure) -> None:
    write_product(place)
    kept = ensure(INSTALL)
    write_product(place, text="def title(text):\n    return None and text\n")
    made = ensure(INSTALL)
    layers.forget(made)
    assert not Path(made.project).exists() and Path(kept.project).exists()


@pytest.mark.parametrize(
    "setup", ["ln -s ../lib .site", "mkdir .site; cp kept.txt .site/", "touch lib/words/__init__.py; true"]
)
def test_links_into_the_checkout_and_other_files_are_no_copies(place, ensure, setup: str) -> None:
    write_product(place)
    assert not ensure(setup).copies


def test_a_failed_setup_is_an_outcome_and_leaves_nothing(place, ensure) -> None:
    outcome = ensure("mkdir deps; echo broken >&2; exit 9")
    assert isinstance(outcome, Outcome)
    assert (outcome.ended, outcome.output) == (Exited(9), b"broken\n")
    assert list((place.state / "layers").iterdir()) == []
    assert ensure("sleep 60", timeout_s=0.3).ended == TimedOut(0.3)
    assert list((place.state / "layers").iterdir()) == []


def test_what_a_killed_setup_left_is_removed_by_the_next(place, ensure) -> None:
    leftover = place.state / "layers/making-old/project.work/work"
    leftover.mkdir(parents=True)
    leftover.chmod(0)
    ensure()
    assert not (place.state / "layers/making-old").exists()


def test_setup_cannot_reach_our_records_nor_write_into_the_repository(place, ensure) -> None:
    (place.state / "key").parent.mkdir(exist_ok=True)
    (place.state / "key").write_text("secret")
    assert isinstance(ensure(f"cat {place.state}/key"), Outcome)
    assert isinstance(ensure("echo x >.git/hooks/post-checkout"), Outcome)


@pytest.fixture
def as_agent(place, sandbox):
    """Run a script as an agent in a clone of its own, over the layer that a setup made."""
    clone = place.folder / "clone"
    clone.mkdir()

    def run_script(setup: str, script: str) -> tuple[Layer, Outcome]:
        sandbox.give_away(clone)
        layers = DependencyLayers(place.state / "layers", sandbox)
        layer = layers.ensure(SetupRun(setup, PurePosixPath(place.project), 30, "setup"), PurePosixPath(place.backing))
        assert isinstance(layer, Layer)
        spec = place.sh(script, profile=Profile.AGENT, layers=(layer.project,))
        return layer, run(sandbox, replace(spec, backing=PurePosixPath(clone)))

    return clone, run_script


def test_an_agent_sees_what_setup_installed_and_its_clone_keeps_its_files(as_agent) -> None:
    clone, run_script = as_agent
    (clone / "kept.txt").write_text("mine\n")
    setup = "mkdir deps; echo x >deps/tool; ln -s tool deps/link; echo other >kept.txt; rm folder/deep.txt"
    script = "cat deps/tool deps/link kept.txt; echo spoilt >deps/tool; echo new >made"
    layer, outcome = run_script(setup, script)
    assert (outcome.ended, outcome.output) == (Exited(0), b"x\nx\nmine\n")
    assert (clone / "made").read_text() == "new\n"
    assert Path(layer.project / "deps/tool").read_text() == "x\n"
    assert Path(layer.project / "deps/link").readlink() == Path("tool")
    _, outcome = run_script(setup, "cat deps/tool")  # as it left its clone
    assert (outcome.ended, outcome.output) == (Exited(0), b"spoilt\n")


def test_an_agent_that_is_stopped_leaves_no_work_folder(place, as_agent) -> None:
    run_script = as_agent[1]
    run_script("mkdir deps; echo x >deps/tool", "rm -rf deps; mkdir deps; kill -9 $$")
    assert list((place.state / "overlays").glob("*")) == []


# Where a clone holds a link to a folder outside, under the name of a folder that setup makes.
LINKS = {
    "to a folder": lambda clone, outside: (clone / "deps").symlink_to(outside),
    "to a folder, by a relative path": lambda clone, outside: (clone / "deps").symlink_to(f"../{outside.name}"),
    "below a folder of its own": lambda clone, outside: (
        (clone / "deps").mkdir(),
        (clone / "deps/hooks").symlink_to(outside),
    ),
    "to a link": lambda clone, outside: (
        (clone / "first").symlink_to(outside),
        (clone / "deps").symlink_to("first"),
    ),
    "to a file that is not there": lambda clone, outside: (
        (clone / "deps").mkdir(),
        (clone / "deps/post-checkout").symlink_to(outside / "post-checkout"),
    ),
    "to another file system": lambda clone, outside: (clone / "deps").symlink_to(f"/proc/self/root{outside}"),
}
PLANTS = "mkdir -p deps/hooks; echo planted >deps/post-checkout; echo planted >deps/hooks/post-checkout"


def copy_by_path(source: Path, target: Path) -> None:
    for path in source.rglob("*"):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


@pytest.mark.parametrize("link", LINKS)
def test_no_link_in_an_agents_clone_leads_a_layer_out_of_it(place, as_agent, tmp_path, link: str) -> None:
    clone, run_script = as_agent
    outside = tmp_path / "outside"
    outside.mkdir()
    LINKS[link](clone, outside)
    layer, outcome = run_script(PLANTS, "true")
    assert outcome.ended == Exited(0)
    assert list(outside.iterdir()) == []
    copy_by_path(Path(layer.project), clone)  # the control
    assert list(outside.iterdir()) != []


def test_a_link_in_the_checkout_is_no_manifest(place, ensure, tmp_path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "package.json").write_text("one")
    (place.backing / "link").symlink_to(secret)
    (place.backing / "package.json").symlink_to(secret / "package.json")
    first = ensure("cat link/package.json || true")
    (secret / "package.json").write_text("two")
    assert ensure("cat link/package.json || true") == first


def test_without_walls_a_layer_is_a_copy(place) -> None:
    sandbox = Unconfined(place.state)
    layers = DependencyLayers(place.state / "layers", sandbox)
    layer = layers.ensure(SetupRun(SETUP, PurePosixPath(place.project), 30, "setup"), PurePosixPath(place.backing))
    assert isinstance(layer, Layer)
    outcome = run(sandbox, place.sh("cat deps/tool $HOME/cache kept.txt", **use(place, layer)))
    assert (outcome.ended, outcome.output) == (Exited(0), b"installed\nof-home\noriginal\n")
