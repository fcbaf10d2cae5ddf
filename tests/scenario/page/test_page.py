"""The page shows what waits and what happened, and decides by the same calls as the commands.

covers: STAT-05, CMAP-03, CKPT, CMD-WEB
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.events.happened import StepStarted
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from autopilot.web.connections import AT_ONCE, MOST
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.browsing import Page, served
from tests.scenario.kit.looking import wait_until
from tests.scenario.kit.resting import at_rest, write_events
from tests.scenario.kit.world import World, make_world
from tests.unit import issue_runs
from tests.unit.asking import CHECKPOINT, MAP

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Page]]:
    """For what is read or refused: nothing is recorded in it."""
    world = at_rest(tmp_path_factory.mktemp("resting"), CHECKPOINT, MAP, deferred=True)
    with served(world) as page:
        yield world, page


def test_a_page_that_is_opened_before_the_first_run_says_how_to_start_one(tmp_path: Path) -> None:
    with served(make_world(tmp_path)) as page:
        first = page.read("/")
    assert first.status == 200
    assert "Nothing waits for you." in first.text
    assert "<code>autopilot run all</code>" in first.text


def test_everything_that_waits_stands_on_the_first_page_with_its_buttons_and_the_equal_command(
    resting: tuple[World, Page],
) -> None:
    _, page = resting
    shown = page.read("/").text
    for text in ("1 of 3 phases are done: continue?", "Which login?", "Listen to the tone", "there is none"):
        assert text in shown
    for command in ("autopilot approve checkpoint-1", "autopilot answer map", "autopilot verdict 3 pass"):
        assert f"<code>{command}</code>" in shown
    for button in ('value="approve"', 'value="reject"', 'value="answer"', 'value="issues_found"', 'value="fail"'):
        assert button in shown


def test_an_answer_of_the_page_is_recorded_once_and_a_second_one_is_shown_the_first(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    with served(world) as page:
        gate = f"{page.repository}/gates/checkpoint-1"
        assert page.post(gate, decision="approve").startswith("good: checkpoint-1: your approval is recorded")
        again = page.post(gate, decision="reject")
        assert again.startswith("bad: checkpoint-1 has already been answered by you, in the page")
        shown = page.read("/").text
        assert "answered: it goes on when it is resumed" in shown
        assert "it waits for you" not in shown
    [answer] = happened(world, HumanAnswered)
    assert (answer.approved, answer.by) == (True, "you, in the page")


def test_questions_are_answered_field_by_field_and_one_answered_at_a_terminal_is_said_to_be(tmp_path: Path) -> None:
    world = at_rest(tmp_path, MAP)
    fields = {"question__1.1": "OAuth", "question__1.2": "80", "question__2.1": ""}
    with served(world) as page:
        assert world.autopilot("answer", "map", "1.1=basic", "1.2=", "2.1=").status == 0
        said = page.post(f"{page.repository}/gates/map", decision="answer", **fields)
    assert said.startswith("bad: map has already been answered by you on ")
    assert "basic" in said
    [answer] = happened(world, HumanAnswered)
    assert answer.answers["1.1"] == "basic"


def test_a_verdict_with_two_issues_is_recorded_as_two(tmp_path: Path) -> None:
    world = at_rest(tmp_path, deferred=True)
    with served(world) as page:
        where = f"{page.repository}/verdicts/3"
        assert page.post(where, verdict="issues_found").startswith("bad: issues_found needs at least one issue")
        said = page.post(where, verdict="issues_found", issues="too quiet\r\n\r\ntoo short\r\n")
    assert said.startswith("good: phase 3: issues_found is recorded")
    [given] = happened(world, VerdictGiven)
    assert given.issues == ("too quiet", "too short")


def test_the_questions_of_a_draft_are_answered_or_it_is_approved_and_not_both(tmp_path: Path) -> None:
    """covers: ISSUE-GATE1"""
    world = make_world(tmp_path)
    write_events(world, (*issue_runs.SHOWN, issue_runs.REQUIREMENTS, issue_runs.WAITS))
    with served(world) as page:
        gate = f"{page.repository}/gates/requirements-24-1"
        both = page.post(gate, decision="approve", question__q1="a comma")
        assert both.startswith("bad: requirements-24-1: answer the questions or approve the draft, not both at once")
        assert page.post(gate, decision="answer", question__q1="a comma", question__q2="").startswith("good: ")
    [answer] = happened(world, HumanAnswered)
    assert (answer.approved, answer.answers["q1"]) == (None, "a comma")


def test_a_rejected_design_needs_its_reason(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    approved = HumanAnswered("requirements-24-1", {}, "you", approved=True)
    events = (*issue_runs.SHOWN, issue_runs.REQUIREMENTS, approved, issue_runs.DESIGN_ASKED, issue_runs.WAITS)
    write_events(world, events)
    with served(world) as page:
        gate = f"{page.repository}/gates/design-24-1"
        assert "a rejection needs a reason" in page.post(gate, decision="reject", comment="")
        said = page.post(gate, decision="reject", comment="- no header row\n- no separator")
        assert said.startswith("good: design-24-1: your rejection is recorded")
    assert happened(world, HumanAnswered)[-1].approved is False


def test_a_stopped_run_is_resumed_from_the_page_and_shown_to_its_end(world: World) -> None:
    killed = world.start("run", "--script", str(world.script))
    wait_until(lambda: world.journal.exists() and happened(world, StepStarted), "the run has begun")
    killed.kill()
    killed.communicate()
    with served(world) as page:
        run = re.findall(rf'href="({page.repository}/runs/[^"/]+)"', page.read("/").text)[0]
        assert "interrupted: its process has ended" in page.read("/").text
        world.write("autopilot.py", f"open({str(world.folder / 'ran')!r}, 'w')\n")  # a module that the checkout offers
        assert page.post(f"{run}/resume", back=run).startswith("good: ")
        wait_until(lambda: "every phase passed" in page.read(run).text, "the run ends")
        shown = page.read(f"{run}/phases/1").text
        assert "1 of 1 " in shown
        assert "After the work: passed, exit 0" in shown
        output = re.findall(rf'href="({page.repository}/outputs/[0-9a-f]+)"', shown)[0]
        assert page.read(output).headers["content-type"] == "text/plain; charset=utf-8"
        assert "phase_completed" in page.read(f"{run}/log?event=phase_completed").text
        assert "there is nothing left to resume" in page.post(f"{run}/resume")
    assert not (world.folder / "ran").exists()


def test_a_page_for_reading_has_no_button_and_no_route_that_writes(tmp_path: Path) -> None:
    world = at_rest(tmp_path, CHECKPOINT)
    with served(world, "--read-only") as page:
        assert "<form" not in page.read("/").text
        headers = {"Cookie": page.cookie, "Origin": f"http://{page.host}", "Content_Type": FORM}
        posted = page.ask(f"{page.repository}/gates/checkpoint-1", "POST", "decision=approve", **headers)
    assert posted.status in (404, 405)
    assert happened(world, HumanAnswered) == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Cookie": ""}, 403),
        ({"Cookie": "autopilot=x"}, 403),
    ],
    ids=["another name, by DNS rebinding", "another port", "no cookie", "a made-up cookie"],
)
def test_who_does_not_come_by_the_link_reads_nothing(
    resting: tuple[World, Page], headers: dict[str, str], status: int
) -> None:
    _, page = resting
    answer = page.ask("/", **{"Host": page.host, "Cookie": page.cookie, **headers})
    assert answer.status == status
    assert "continue?" not in answer.text


def test_a_link_works_once(resting: tuple[World, Page]) -> None:
    _, page = resting
    assert page.ask(page.links[0].partition(page.host)[2]).status == 403
    wait_until(lambda: len(page.links) == 2, "the next link is printed")
    assert page.ask("/enter?token=" + "x" * 43).status == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Sec_Fetch_Site": "cross-site"}],
    ids=["another site", "a sandboxed frame", "nobody", "the browser knows better"],
)
def test_what_another_site_posts_with_the_cookie_changes_nothing(
    resting: tuple[World, Page], headers: dict[str, str]
) -> None:
    world, page = resting
    sent = {"Cookie": page.cookie, "Origin": f"http://{page.host}", "Content_Type": FORM, **headers}
    answer = page.ask(f"{page.repository}/gates/checkpoint-1", "POST", "decision=approve", **sent)
    assert answer.status == 403
    assert happened(world, HumanAnswered) == []


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2f..%2fcommand.py",
        "/static/%2e%2e/application.py",
        "/r/..%2f..%2fetc",
        "/r/0000000000000000",
        "/r/%00/runs/x",
        "/nothing",
    ],
)
def test_no_path_of_a_request_leads_to_a_file(resting: tuple[World, Page], path: str) -> None:
    _, page = resting
    assert page.read(path).status == 404


def test_a_stored_output_is_found_by_its_digest_alone(resting: tuple[World, Page]) -> None:
    _, page = resting
    for digest in ("..%2f..%2fkey", "*", "zz", "0" * 64):
        assert page.read(f"{page.repository}/outputs/{digest}").status == 404


def test_every_answer_carries_the_policy_that_lets_no_foreign_script_run(resting: tuple[World, Page]) -> None:
    _, page = resting
    for answer in (page.read("/"), page.read("/nothing"), page.ask("/"), page.read("/static/page.js")):
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_form_that_is_too_long_or_no_form_is_refused(resting: tuple[World, Page]) -> None:
    world, page = resting
    gate = f"{page.repository}/gates/checkpoint-1"
    assert "longer than 64 KB" in page.post(gate, decision="approve", comment="x" * 70_000)
    assert "no decision was chosen" in page.post(gate, decision="maybe")
    assert happened(world, HumanAnswered) == []


def test_slow_connections_are_bounded_in_number_and_in_time(resting: tuple[World, Page]) -> None:
    _, page = resting
    host, port = page.host.split(":")
    files = Path(f"/proc/{page.process.pid}/fd")
    highest = 0
    slow = [socket.create_connection((host, int(port))) for _ in range(1_000)]

    def are_all_closed() -> bool:
        nonlocal highest
        highest = max(highest, sum(1 for _ in files.iterdir()))
        return all(map(_is_closed, slow))

    try:
        wait_until(are_all_closed, "no connection is kept that never says what it wants")
        # A busy server accepts a few times before it looks at the first of them and closes what is too much.
        assert 150 < highest < MOST + 5 * AT_ONCE + 40, (
            "so many of the 1,000 were open at once, with the server's own files"
        )
        wait_until(lambda: _is_answered(page), "the page answers again")
    finally:
        for connection in slow:
            connection.close()


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def _is_answered(page: Page) -> bool:
    try:
        return page.read("/").status == 200
    except OSError:
        return False


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--listen", "192.0.2.1"), "would be sent in clear text"),
        (("--listen", "192.0.2.1", "--certificate", "none.pem", "--key", "README.md"), "none.pem does not exist"),
        (
            ("--listen", "192.0.2.1", "--certificate", "README.md", "--key", "README.md"),
            "they are not PEM files\nhint: ",
        ),
        (("--listen", "192.0.2.1", "--certificate", "README.md"), "go together"),
        (
            ("--certificate", "README.md", "--key", "README.md"),
            "the page is on this machine alone, where --certificate and --key have no use\n"
            "hint: add --listen ADDRESS to serve it to other machines, or leave --certificate and --key out\n",
        ),
        (
            ("--behind-proxy", "https://x"),
            "hint: add --listen ADDRESS to serve it to other machines, or leave --behind-proxy out\n",
        ),
        (("/tmp",), "/tmp is not in a git repository\nhint: name a place in the git repository of your"),
        (
            ("--listen", "127.0.0.1", "--certificate", "none.pem", "--key", "none.pem"),
            "--listen 127.0.0.1 serves the page to this machine alone, where --certificate and --key have no use\n"
            "hint: leave --certificate and --key out, or listen on an address that other machines reach\n",
        ),
        (("/nowhere",), "/nowhere does not exist\nhint: name the folder of a repository, or none for all of yours\n"),
        (("--listen", "here", "--behind-proxy", "https://x"), "is no IP address"),
    ],
)
def test_a_page_for_others_is_refused_before_a_link_is_printed(
    tmp_path: Path, options: tuple[str, ...], error: str
) -> None:
    ran = make_world(tmp_path).autopilot("web", "--no-open", *options)
    assert (ran.status, ran.out) == (2, "")
    assert error in ran.err


def test_records_that_cannot_be_read_are_told_before_a_link_is_printed(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.state.write_text("a file")
    ran = world.autopilot("web", "--no-open")
    assert (ran.status, ran.out) == (5, "")
    assert (
        f"error: Autopilot cannot read its records in {world.state}: {world.state} is a file, not a folder\n" in ran.err
    )


def test_figures_are_read_in_the_page_or_with_the_token_for_them_which_opens_nothing_else(tmp_path: Path) -> None:
    """covers: OTEL-METRICS"""
    world = at_rest(tmp_path, CHECKPOINT, deferred=True)
    token = tmp_path / "token"
    token.write_text("a-token-of-nobody-4711\n")
    bearer = {"Authorization": "Bearer a-token-of-nobody-4711"}
    with served(world, "--metrics-token", str(token)) as page:
        assert page.read("/metrics").headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        found = page.ask("/metrics", **bearer)
        refused = [page.ask("/metrics"), page.ask("/metrics", Authorization="Bearer wrong"), page.ask("/", **bearer)]
    assert found.status == 200
    for sample in (
        'autopilot_runs{repository="project",status="waiting"} 1',
        'autopilot_waiting{repository="project",kind="checkpoint"} 1',
        'autopilot_waiting{repository="project",kind="verdict"} 1',
    ):
        assert f"{sample}\n" in found.text
    assert [answer.status for answer in refused] == [403, 403, 403]
    token.write_text("short")
    refused_token = world.autopilot("web", "--metrics-token", str(token)).err
    assert "holds no token of 16 characters" in refused_token
    assert "base64 >metrics-token" in refused_token, "what is in the named file may be the user's, and is kept"
