"""GitLab by `glab`, Gitea and Forgejo by their API: one suite over both, and what a hostile server may try.

covers: FORGE-REST, AL-1, T1
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.forge.addresses import repository_at
from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.http_api import HttpApi
from autopilot.adapters.forge.opening import make_rest_forge
from autopilot.adapters.forge.rest import RestForge
from autopilot.model.errors import Unavailable
from autopilot.model.forge import ForgeConfig
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.forge import ForgeIssue, StatusState
from autopilot.simulation.forges.gitea import TOKEN, Gitea
from autopilot.simulation.forges.glab import GlabProgram
from tests.contract.git.world import World

SECRET = "hunter2-hunter2-hunter2"
BRANCH = "autopilot/issue-24-a-title"
REDACTOR = Redactor({"SECRET": SECRET, "TOKEN": TOKEN})
CONFIG = {"kind": "gitea", "token_env": "GITEA_TOKEN"}


@pytest.fixture
def gitea() -> Iterator[Gitea]:
    server = Gitea()
    yield server
    server.close()


@pytest.fixture
def glab(tmp_path: Path) -> GlabProgram:
    return GlabProgram(tmp_path / "bin")


class Forge:
    """A forge, and what was sent to it."""

    def __init__(self, forge: RestForge, server: Gitea | GlabProgram, root: str) -> None:
        self.forge, self.server, self.root = forge, server, root

    @property
    def sent(self) -> list[tuple[str, str, Any]]:
        if isinstance(self.server, Gitea):
            return [(method, path.partition("/o/r")[2], body) for method, path, body in self.server.asked]
        calls = [(words[words.index("--method") + 1 :], body) for words, body, _ in self.server.asked]
        return [(words[0], words[1].partition("o%2Fr")[2], body) for words, body in calls]

    @property
    def written(self) -> list[tuple[str, str, Any]]:
        return [call for call in self.sent if call[0] != "GET"]


def gitea_forge(world: World, server: Gitea, **more: str) -> RestForge:
    world.user.git("remote", "add", "origin", f"{server.url}/o/r.git", ok=False)
    environment = {"GITEA_TOKEN": TOKEN, "PATH": "/usr/bin:/bin"}
    remote = BareForge(world.vault, world.user.path, "origin", environment)
    config = ForgeConfig("gitea", url=more.pop("url", server.url), **more)
    return make_rest_forge(config, remote, world.vault.path, environment, REDACTOR)


@pytest.fixture(params=["gitea", "glab"])
def hub(request: pytest.FixtureRequest, world: World) -> Forge:
    if request.param == "gitea":
        server: Gitea = request.getfixturevalue("gitea")
        return Forge(gitea_forge(world, server), server, f"{server.url}/o/r/pulls/")
    program: GlabProgram = request.getfixturevalue("glab")
    world.user.git("remote", "add", "origin", "git@git.example.org:o/r.git")
    remote = BareForge(world.vault, world.user.path, "origin", program.environment)
    config = ForgeConfig("glab", url="https://git.example.org")
    forge = make_rest_forge(config, remote, world.vault.path, program.environment, REDACTOR)
    return Forge(forge, program, "https://git.example.org/o/r/-/merge_requests/")


def test_it_is_ready_without_asking_anybody(hub: Forge) -> None:
    hub.forge.check()
    assert not isinstance(hub.server, Gitea) or hub.server.asked == []


def test_an_issue_is_read_as_it_stands_there(hub: Forge) -> None:
    assert hub.forge.issue(24) == ForgeIssue("A title", "A body", ("bug", "p 1"))
    assert hub.forge.issue(25) == ForgeIssue("No body", "", ())
    assert hub.forge.issue(99) is None


def test_a_draft_is_made_once_and_kept_up_to_date(hub: Forge) -> None:
    url = hub.forge.draft(BRANCH, "", "A  title\n(#24)", f"with {SECRET} in it")
    assert url == f"{hub.root}7"
    ((_, _, made),) = hub.written
    assert made["title"] in ("WIP: A title (#24)", "Draft: A title (#24)")
    assert "trunk" in made.values() and BRANCH in made.values(), "merged into the forge's own default branch"
    assert SECRET not in str(made) and "[redacted:SECRET]" in str(made)
    assert hub.forge.draft(BRANCH, "", "Another", "text") == url
    assert len(hub.written) == 2
    assert hub.written[1][0] in ("PATCH", "PUT")
    assert hub.written[1][2]["title"] in ("WIP: Another", "Draft: Another")


def test_a_base_that_is_named_is_taken(hub: Forge) -> None:
    hub.forge.draft(BRANCH, "develop", "A title", "text")
    assert "develop" in hub.written[0][2].values()


def test_a_request_that_a_person_declared_ready_is_not_made_a_draft_again(hub: Forge) -> None:
    hub.forge.draft(BRANCH, "", "A title", "text")
    if isinstance(hub.server, Gitea):
        hub.server.pulls[0]["title"] = "A title"
    else:
        hub.server.declare_ready()
    hub.forge.draft(BRANCH, "", "Another", "text")
    assert hub.written[-1][2]["title"] == "Another"


def test_a_comment_goes_to_the_draft_and_to_no_other_address(hub: Forge) -> None:
    hub.forge.comment("", "nothing is sent")
    hub.forge.comment(f"{hub.root}7", f"see {SECRET}")
    ((_, path, body),) = hub.written
    assert "/7/" in path and body == {"body": "see [redacted:SECRET]"}
    for url in ("https://elsewhere.example.org/o/r/pulls/7", f"{hub.root}7/../8", f"{hub.root}x", f"{hub.root}"):
        with pytest.raises(Unavailable):
            hub.forge.comment(url, "text")
    assert len(hub.written) == 1


def test_a_label_is_set(hub: Forge) -> None:
    hub.forge.label(24, "merge-ready")
    ((_, path, body),) = hub.written
    assert path.startswith("/issues/24") and body in ({"labels": [7]}, {"add_labels": "merge-ready"})


@pytest.mark.parametrize("state", StatusState)
def test_a_status_stands_beside_its_commit(hub: Forge, state: StatusState) -> None:
    hub.forge.status("a" * 40, state, "autopilot/acceptance", f"3 tests,\n{SECRET}" + "x" * 500, f"{hub.root}7")
    ((method, path, body),) = hub.written
    assert (method, path) == ("POST", f"/statuses/{'a' * 40}")
    assert body["state"] in (state.value, "failed")
    assert len(body["description"]) <= 140 and SECRET not in str(body) and "\n" not in body["description"]
    assert body["target_url"] == f"{hub.root}7"
    assert "autopilot/acceptance" in (body.get("context"), body.get("name"))


def test_the_token_is_in_no_message_and_goes_as_a_header_alone(world: World, gitea: Gitea) -> None:
    forge = gitea_forge(world, gitea)
    with pytest.raises(Unavailable) as refused:
        forge.label(24, "no-such-label")
    assert TOKEN not in f"{refused.value}{refused.value.hint}"
    assert set(gitea.tokens) == {f"token {TOKEN}"}
    assert all(TOKEN not in path for _, path, _ in gitea.asked)


def test_without_a_token_nobody_is_asked(gitea: Gitea) -> None:
    with pytest.raises(Unavailable, match="GITEA_TOKEN is not set"):
        HttpApi("Gitea", gitea.url, "", "GITEA_TOKEN").ask("GET", "/x")
    assert gitea.asked == []


def redirect(to: str, code: int) -> Any:
    def twist(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(code)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return True

    return twist


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_no_other_host_gets_the_token(world: World, gitea: Gitea, code: int) -> None:
    other = Gitea()
    try:
        gitea.twist = redirect(f"{other.url}/api/v1/repos/o/r/issues/24", code)
        forge = gitea_forge(world, gitea)
        with pytest.raises(Unavailable, match=f"status {code}"):
            forge.issue(24)
        assert other.asked == [] and other.tokens == []
    finally:
        other.close()


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"x" * (5 << 20), "more than"),
        (b"not JSON", "cannot read"),
        (b"[" * 100_000, "cannot read"),
        (b'{"title": 7}', "cannot read"),
    ],
)
def test_an_answer_is_bounded_and_must_be_what_was_asked_for(
    world: World, gitea: Gitea, content: bytes, match: str
) -> None:
    def twist(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.end_headers()
        with suppress(OSError):  # it reads no further
            handler.wfile.write(content)
        return True

    gitea.twist = twist
    with pytest.raises(Unavailable, match=match):
        gitea_forge(world, gitea).issue(24)


def test_a_remote_on_another_host_than_the_configured_one_is_refused_before_anything_is_sent(
    world: World, gitea: Gitea
) -> None:
    world.user.git("remote", "add", "origin", "https://evil.example.org/o/r.git")
    forge = gitea_forge(world, gitea)
    for act in (forge.check, lambda: forge.issue(24), lambda: forge.status("a", StatusState.SUCCESS, "n", "t")):
        with pytest.raises(Unavailable, match=r"the remote is on evil\.example\.org"):
            act()
    assert gitea.asked == []


def test_glab_runs_outside_of_the_checkout_and_is_told_its_host(world: World, glab: GlabProgram) -> None:
    world.user.git("remote", "add", "origin", "https://git.example.org/o/r")
    environment = {**glab.environment, "GITLAB_HOST": "evil.example.org"}
    remote = BareForge(world.vault, world.user.path, "origin", environment)
    forge = make_rest_forge(
        ForgeConfig("glab", url="https://git.example.org"), remote, world.vault.path, environment, REDACTOR
    )
    forge.issue(24)
    ((words, _, folder),) = glab.asked
    assert words[:3] == ["api", "--hostname", "git.example.org"]
    assert Path(folder) == world.vault.path


@pytest.mark.parametrize(
    ("address", "repository"),
    [
        ("https://git.example.org/o/r.git", "o/r"),
        ("https://user:secret@git.example.org:8443/o/r", "o/r"),
        ("ssh://git@git.example.org:2222/group/sub/r.git", "group/sub/r"),
        ("git@git.example.org:o/r.git", "o/r"),
        ("GIT.example.org:o/r", "o/r"),
    ],
)
def test_the_repository_is_what_the_remote_names_on_the_host(address: str, repository: str) -> None:
    assert repository_at(address, "git.example.org") == repository


@pytest.mark.parametrize(
    "address",
    [
        "https://git.example.org.evil.org/o/r",
        "https://evil.org/git.example.org/o/r",
        "https://git.example.org@evil.org/o/r",
        "https://git.example.org/r",
        "https://git.example.org/o/../r",
        "/srv/git/o/r.git",
        "file:///srv/o/r",
        "https://[broken/o/r",
    ],
)
def test_no_other_address_names_one(address: str) -> None:
    with pytest.raises(Unavailable):
        found = repository_at(address, "git.example.org")
        assert found == "", found
