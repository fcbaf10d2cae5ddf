"""Trees that an agent made are entered by descriptors alone (adapters/beneath.py): by path, a link leads us out.

Every other module that opens, lists, copies or removes by path says here whose paths they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.tidy.house import SOURCE, modules, nodes, parsed

ROOMS = ("adapters", "api", "engine", "settings", "steps")
BY_PATH = {
    *("walk", "rglob", "glob", "iterdir", "listdir", "scandir", "read_text", "read_bytes", "write_text", "write_bytes"),
    *("copy", "copy2", "copyfile", "copytree", "rmtree", "open"),
}
# What only looks like one of them: a port of ours, Path.replace of a string, a web address.
OTHER_OWNERS = {"_transcripts", "_opener", "ast"}

BY_DESCRIPTOR = {
    "adapters/beneath.py": "the one module for trees of agents",
    "adapters/git/clones.py": "HEAD and objects of an agent's clone: anything but plain files and folders is refused",
    "adapters/git/checkout/documents.py": "documents of the user's checkout: what leads out of it is refused",
    "adapters/files.py": "drafts are opened without following links",
    "adapters/key.py": "opened without following links",
    "adapters/placing/tree.py": "folders of the user: entered by descriptors, without following links",
    "adapters/sandbox/user.py": "what is given away: entered by descriptors, without following links",
}
OWN_STATE = "the state home, which no sandbox shows"
OWN_FILES = "files of this program"
MACHINE = "the machine's own files: /proc, /sys, /etc, installed programs"
USER_NAMED = "a file that the user names"
REASONS = {
    "adapters/agents/acp/answers.py": "runs inside the agent's own sandbox",
    "adapters/agents/acp/bridge.py": "runs inside the agent's own sandbox",
    "adapters/agents/cli_agent.py": "a private folder made for this call",
    "adapters/agents/command.py": MACHINE,
    "adapters/agents/credentials.py": "the user's own login files",
    "adapters/agents/instruction.py": OWN_FILES,
    "adapters/agents/npm.py": MACHINE,
    "adapters/agents/versions.py": OWN_STATE,
    "adapters/artefact/carried.py": USER_NAMED,
    "adapters/blobs.py": OWN_STATE,
    "adapters/credentials/files.py": "names of the user's files; links are not entered, nothing is written",
    "adapters/credentials/values.py": "the user's own files; only plain files are opened",
    "adapters/environments.py": "its own record beside a layer; what is in a layer is read by descriptors",
    "adapters/git/checkout/collisions.py": "the user's checkout: names only, links are not entered",
    "adapters/git/checkout/halfway.py": "the user's git folder",
    "adapters/git/checkout/locked_index.py": "the user's git folder",
    "adapters/git/checkout/note.py": "the user's git folder",
    "adapters/git/checkout/refusals.py": "the user's git folder",
    "adapters/git/checkout/snapshot.py": "the user's git folder",
    "adapters/git/isolation.py": OWN_STATE,
    "adapters/git/linking.py": "checkouts of ours that no agent and no command writes to; no link is followed",
    "adapters/git/packing.py": OWN_STATE,
    "adapters/git/packs.py": OWN_STATE,
    "adapters/git/refs.py": OWN_STATE,
    "adapters/git/removal.py": "scandir and rmtree follow no links; a folder is moved into ours before it is removed",
    "adapters/git/repository.py": "the user's git folder",
    "adapters/git/skeleton.py": OWN_STATE,
    "adapters/git/transport.py": OWN_STATE,
    "adapters/git/vault.py": OWN_STATE,
    "adapters/git/small_checkouts.py": "a clone before any agent has seen it",
    "adapters/git/workspaces.py": "a clone before any agent has seen it",
    "adapters/growing_file.py": USER_NAMED,
    "adapters/home.py": OWN_STATE,
    "adapters/visual/chromium.py": "a private folder made for this call; what comes out is read by descriptors",
    "adapters/visual/inside.py": "runs inside the sandbox of the app",
    "api/visual/checking.py": OWN_STATE,
    "api/phases/pending.py": OWN_STATE,
    "adapters/host.py": MACHINE,
    "adapters/journal/database.py": OWN_STATE,
    "adapters/journal/prepared.py": OWN_STATE,
    "adapters/journal/snapshots.py": OWN_FILES,
    "adapters/journal/sqlite.py": OWN_STATE,
    "adapters/live.py": OWN_STATE,
    "adapters/lock.py": "its own state, and one name in the checkout's git folder, opened without following links",
    "adapters/sandbox/bubblewrap.py": MACHINE,
    "adapters/sandbox/cgroup.py": MACHINE,
    "adapters/sandbox/child.py": MACHINE,
    "adapters/sandbox/view.py": MACHINE,
    "adapters/openings.py": "an export that no agent enters: names of its folders, and no link is followed",
    "settings/own_sandbox.py": MACHINE,
    "adapters/sandbox/layers.py": "names of our own folders",
    "adapters/sandbox/product_copies.py": "its own record beside a layer; what is in a layer is read by descriptors",
    "adapters/sandbox/overlay_folders.py": OWN_STATE,
    "adapters/sandbox/probe.py": MACHINE,
    "adapters/sandbox/proctree.py": MACHINE,
    "adapters/sandbox/registry.py": OWN_STATE,
    "adapters/sandbox/services/attending.py": OWN_FILES,
    "adapters/sandbox/toolchains.py": MACHINE,
    "adapters/sandbox/unconfined.py": "without a sandbox nothing is promised: the agent itself may write anywhere",
    "adapters/transcript_log.py": OWN_STATE,
    "adapters/transcripts.py": OWN_STATE,
    "api/attachment.py": OWN_STATE,
    "api/page/growth.py": OWN_STATE,
    "api/page/records.py": OWN_STATE,
    "api/page/live_lines.py": OWN_STATE,
    "api/page/detached.py": OWN_STATE,
    "api/demo.py": OWN_FILES,
    "api/evidence/scratch_world.py": OWN_STATE,
    "api/chat/commands.py": OWN_FILES,
    "api/machine/checking.py": MACHINE,
    "api/initialization.py": OWN_FILES,
    "api/people/answers_file.py": USER_NAMED,
    "api/pruning.py": OWN_STATE,
    "api/run_report.py": USER_NAMED,
    "settings/reading.py": USER_NAMED,
    "steps/asking/prompt.py": OWN_FILES,
    "steps/observing/inspecting.py": "an export that no agent enters, by names of its tree: none goes through a link",
}


def calls_by_path(tree: ast.AST) -> Iterator[str]:
    for node in nodes(tree):
        match node:
            case ast.Call(func=ast.Name(id="open")):
                yield f"{node.lineno}: open"
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in BY_PATH:
                if ast.unparse(owner).rpartition(".")[2] not in OTHER_OWNERS:
                    yield f"{node.lineno}: {ast.unparse(node.func)}"


def names_by_path() -> dict[str, list[str]]:
    found = {path: list(calls_by_path(parsed(path))) for room in ROOMS for path in modules(SOURCE / room)}
    return {path.relative_to(SOURCE).as_posix(): calls for path, calls in found.items() if calls}


def test_every_module_that_opens_by_path_says_whose_paths_they_are() -> None:
    unnamed = {path: calls for path, calls in names_by_path().items() if path not in BY_DESCRIPTOR | REASONS}
    assert not unnamed, "open by descriptor with adapters/beneath.py, or say whose paths they are"


def test_no_reason_is_given_for_a_module_that_needs_none() -> None:
    assert not (BY_DESCRIPTOR | REASONS).keys() - names_by_path().keys()


@pytest.mark.parametrize("line", ["open('x')", "path.read_text()", "os.walk(top)", "shutil.copytree(a, b)", "p.open()"])
def test_a_call_by_path_is_found(line: str) -> None:
    assert list(calls_by_path(ast.parse(line)))
