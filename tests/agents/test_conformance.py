"""The conformance run: agents that can be relied on pass it, and each vice fails exactly the case that is about it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from autopilot.cli.commands.conformance import render
from autopilot.model.agent_config import AgentConfig
from autopilot.model.errors import UsageError
from autopilot.settings.reading import Settings, SettingsFile
from autopilot.simulation.conformance.cases import CASES
from autopilot.simulation.conformance.result import Result
from autopilot.simulation.conformance.runner import CaseResult, choose_cases, is_certified, run_cases
from autopilot.simulation.model_server.script import parse_model_script
from tests.agents.installed import installed
from tests.chaos.level import LEVEL

# covers: T5.agents, T6.end
GUIDE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
[SMALL_AGENT] = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
LAST_LINES = '\n\nif __name__ == "__main__":\n'
PROGRAMS = {"claude-acp": "claude-agent-acp"}
WEAKNESSES = {"opencode": {"limit-time"}}  # told to wait for an hour, it does so without a word
NAMES = [case.name for case in CASES]
REQUIRED = [case.name for case in CASES if case.required]

# The quick one always; the others, which take a minute or several, where there is time.
REAL = ("codex", "claude", "codex-acp", "claude-acp", "opencode") if LEVEL.every_story else ("codex",)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The user's: a password lies in it."""
    home = tmp_path / "user"
    (home / ".ssh").mkdir(parents=True)
    (home / ".netrc").write_text("machine example.org password a-secret-of-the-user\n")
    return home


Trying = Callable[..., dict[str, CaseResult]]


@pytest.fixture
def trial(tmp_path: Path, home: Path) -> Trying:
    """Try an agent; its results by case. ``vice`` is put into the agent of the guide."""

    def run(name: str, cases: Sequence[str] = (), vice: str = "", confined: bool = True, **config: Any) -> Any:
        if name == "small":
            config = {**describe_small(tmp_path / "small-agent", vice), **config}
        settings = Settings(
            state=tmp_path / "state",
            environment={"PATH": os.environ["PATH"], "HOME": str(home), "VENDOR_KEY": "key-of-the-user"},
            agent={name: AgentConfig(**config)},
            confined=confined,
            file=SettingsFile("settings.toml"),
        )
        return {tried.case: tried for tried in run_cases([name], settings, choose_cases(cases))}

    return run


def describe_small(program: Path, vice: str) -> dict[str, Any]:
    assert SMALL_AGENT.count(LAST_LINES) == 1
    program.write_text(SMALL_AGENT.replace(LAST_LINES, f"\n\n{vice}\n{LAST_LINES}"))
    program.chmod(0o755)
    return {
        "kind": "command",
        "program": str(program),
        "args": ("{usage}",),
        "env": {"OPENAI_BASE_URL": "http://127.0.0.1:9/nowhere"},
        "test_env": {"OPENAI_BASE_URL": "{url}/v1"},
    }


def results(tried: dict[str, CaseResult]) -> dict[str, str]:
    return {case: each.result.value for case, each in tried.items()}


def failing(tried: dict[str, CaseResult]) -> set[str]:
    return {case for case, each in tried.items() if each.result is Result.FAIL}


def told(tried: dict[str, CaseResult]) -> str:
    return render([each.agent for each in tried.values()][:1], list(tried.values()))


@pytest.mark.parametrize("name", REAL)
def test_a_real_agent_passes_every_required_case(trial: Trying, name: str) -> None:
    tried = trial(name, program=str(installed(PROGRAMS.get(name, name))))
    assert list(tried) == NAMES
    assert is_certified(list(tried.values())), told(tried)
    assert failing(tried) == WEAKNESSES.get(name, set()), told(tried)


def test_the_agent_of_the_guide_passes_as_the_guide_says(trial: Trying) -> None:
    tried = trial("small")
    expected = dict.fromkeys(NAMES, "pass") | {"session": "not supported"}
    assert results(tried) == expected, told(tried)
    assert is_certified(list(tried.values()))


class Vice(Struct, frozen=True):
    code: str
    cases: tuple[str, ...]  # that are tried; of those it passes only the first when there is little time
    fails: frozenset[str]
    words: str  # in what is told of a failure
    config: dict[str, Any] = {}


WORK = ("reply", "commit", "prompt", "schema", "secrets")
TROUBLE = ("limit", "drop", "limit-time", "overload", "auth")
VALID = (
    '{"tasks_completed": "1/1", "tasks_failed": "0/1", "commit_shas": [], "evidence": [], "deviations": [], '
    '"confidence": 10}'
)
VICES = {
    "shows its prompt on a command line": Vice(
        """
def ask(messages, ask=ask):
    with subprocess.Popen(["sh", "-c", "read line", messages[0]["content"]], stdin=subprocess.PIPE):
        return ask(messages)
""",
        WORK,
        frozenset({"prompt"}),
        "every user of the machine can read",
    ),
    "cuts its prompt": Vice(
        """
def ask(messages, ask=ask):
    return ask([{**messages[0], "content": messages[0]["content"][:9000]}, *messages[1:]])
""",
        WORK,
        frozenset({"prompt"}),
        "characters reached the model",
    ),
    "runs nothing": Vice(
        """
def run(command):
    return "exit code 0"
""",
        ("reply", "tools", "cancel", "home", "network"),
        frozenset({"tools", "cancel", "home", "network"}),
        "the model",
    ),
    "says it has committed": Vice(
        """
def run(command, run=run):
    return "exit code 0" if "git commit" in command else run(command)
""",
        WORK,
        frozenset({"commit"}),
        "there is no commit",
    ),
    "commits without the work": Vice(
        """
def run(command, run=run):
    return run(command.replace("git add -A", "git commit --allow-empty -qm empty").partition(" && ")[0])
""",
        WORK,
        frozenset({"commit"}),
        "lacks the file",
    ),
    "answers with garbage": Vice(
        """
def answer(text):
    print("((( " + text[:20])
""",
        WORK,
        frozenset({"reply"}),
        "does not match the schema",
    ),
    "answers with something else": Vice(
        f"""
def answer(text):
    print('{VALID}' if text.startswith("{{") else text)
""",
        WORK,
        frozenset({"reply"}),
        "not the one that the model gave",
    ),
    "makes an answer up": Vice(
        f"""
def answer(text):
    print(text if text.startswith("{{") else '{VALID}')
""",
        WORK,
        frozenset({"schema"}),
        "but the agent returned one",
    ),
    "key appears in its output": Vice(
        """
def answer(text, answer=answer):
    print("using", os.environ["AUTOPILOT_AGENT_KEY"], file=sys.stderr)
    answer(text)
""",
        WORK,
        frozenset({"secrets"}),
        "key appears in its output",
    ),
    "has its key on a command line": Vice(
        """
def ask(messages, ask=ask):
    with subprocess.Popen(["sh", "-c", "read line", os.environ["AUTOPILOT_AGENT_KEY"]], stdin=subprocess.PIPE):
        return ask(messages)
""",
        WORK,
        frozenset({"secrets"}),
        "command line",
    ),
    "never ends": Vice(
        """
def answer(text, answer=answer):
    import time

    answer(text)
    sys.stdout.flush()
    time.sleep(600)
""",
        ("reply", "auth"),
        frozenset({"reply"}),
        "silent for 2 s",
        {"stall_s": 2.0},
    ),
    "talks on while its model is silent": Vice(
        """
def ask(messages, ask=ask):
    import threading, time

    def talk():
        while True:
            print(flush=True)
            time.sleep(0.5)

    threading.Thread(target=talk, daemon=True).start()
    return ask(messages)
""",
        ("reply", "stall"),
        frozenset({"stall"}),
        "still running after 6 s",
        {"wall_s": 6.0},
    ),
    "takes every error for an end": Vice(
        """
def give_up(status, retry_after):
    answer("sorry")
    sys.exit(0)
""",
        TROUBLE,
        frozenset({"limit", "limit-time", "overload", "auth"}),
        "completed its call",
    ),
    "gives up at once": Vice("TRIES = 1", TROUBLE, frozenset({"drop"}), "crashed: it ended with exit code 1"),
    "counts twice": Vice(
        """
def count(tokens_in, tokens_out, count=count):
    count(2 * tokens_in, 2 * tokens_out)
""",
        ("reply", "cost"),
        frozenset({"cost"}),
        "4400 tokens counted, 2200 used",
    ),
    "forgets its session": Vice(
        """
def report(facts, report=report):
    report({**facts, "session": "s-1"})
""",
        ("reply", "session"),
        frozenset({"session"}),
        "did not contain the first prompt",
        {"args": ("{usage}", "{session}")},
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("vice", VICES.values(), ids=VICES.keys())
def test_an_agent_with_a_vice_fails_the_cases_about_it_and_no_other(trial: Trying, vice: Vice) -> None:
    others = [case for case in vice.cases if case not in vice.fails]
    tried = trial("small", [*vice.fails, *others[: len(others) if LEVEL.every_story else 1]], vice.code, **vice.config)
    assert failing(tried) == vice.fails, told(tried)
    assert all(vice.words in tried[case].detail for case in vice.fails), told(tried)
    assert is_certified(list(tried.values())) == vice.fails.isdisjoint(REQUIRED)


def test_there_is_a_vice_for_every_case() -> None:
    assert {case for vice in VICES.values() for case in vice.fails} == set(NAMES) - {"found"}


def test_an_agent_that_is_shown_the_home_fails(trial: Trying, home: Path) -> None:
    tried = trial("small", ["home"], show=(str(home),))["home"]
    assert tried.result is Result.FAIL
    assert tried.detail == f"it can read .netrc, .ssh in {home}"


def test_the_hosts_that_an_agent_may_reach_are_told(trial: Trying) -> None:
    tried = trial("small", ["network"], hosts=("docs.example.org",))["network"]
    assert (tried.result, tried.detail.split(",")[0]) == (Result.PASS, "it may reach docs.example.org")
    tried = trial("small", ["network"], egress="open")["network"]
    assert (tried.result, "may reach any host" in tried.detail) == (Result.NOT_SUPPORTED, True)


STRAY = """
def run(command, run=run):
    if "hold" in command:
        subprocess.run([sys.executable, "-c", STRAY, command, "at {place}"])
    return run(command)


STRAY = '''
import os, resource, time
os.fork() and os._exit(0)
os.setsid()
resource.setrlimit(10, (1, 1))
time.sleep(60)
'''
"""


Strays = Callable[[], list[int]]


@pytest.fixture
def strays(tmp_path: Path) -> Iterator[Strays]:
    """The processes that this test's agent left behind; they are ended with the test."""

    def find() -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it has just ended
                if f"at {tmp_path}\0".encode() in path.read_bytes():
                    found.append(int(path.parent.name))
        return found

    yield find
    for pid in find():
        os.kill(pid, signal.SIGKILL)


def test_a_child_in_a_session_of_its_own_ends_with_the_sandbox(trial: Trying, tmp_path: Path) -> None:
    tried = trial("small", ["cancel"], STRAY.format(place=tmp_path))["cancel"]
    assert tried.result is Result.PASS, tried.detail


def test_without_a_sandbox_a_child_that_is_left_behind_is_seen(trial: Trying, tmp_path: Path, strays: Strays) -> None:
    tried = trial("small", ["cancel", "home"], STRAY.format(place=tmp_path), confined=False)
    assert len(strays()) == 1
    assert tried["cancel"].result is Result.FAIL
    assert "1 of its processes are still running" in tried["cancel"].detail
    assert tried["home"].result is Result.NOT_TESTABLE


def test_an_agent_that_cannot_be_sent_to_another_model_is_not_started(trial: Trying, tmp_path: Path) -> None:
    vice = f"open({str(tmp_path / 'started')!r}, 'w')"
    tried = trial("small", ["found", "reply", "home"], vice, test_env={})
    assert results(tried) == {"found": "pass", "reply": "not testable", "home": "not testable"}
    assert "write agent.small.test_env = " in tried["reply"].detail
    assert not (tmp_path / "started").exists()
    assert "no value of its test_env contains {url}" in trial("small", ["reply"], test_env={"X": "y"})["reply"].detail


def test_an_agent_that_is_not_there_is_told_as_that(trial: Trying) -> None:
    tried = trial("claude", program="/nowhere/claude")
    assert set(results(tried).values()) == {"fail", "not testable"}
    assert failing(tried) == {"found"}
    assert "/nowhere/claude is not a program" in tried["found"].detail


def test_nothing_of_the_user_goes_along(trial: Trying) -> None:
    """Neither a key in a variable, nor one in the settings, nor a variable that is passed at other times."""
    look = """
def answer(text, answer=answer):
    found = [value for value in os.environ.values() if "-of-the-user" in value]
    answer("leaked" if found else text)
"""
    config: dict[str, Any] = {"pass_env": ("VENDOR_KEY",), "env": {"OTHER_API_KEY": "other-key-of-the-user"}}
    assert results(trial("small", ["reply"], look, **config)) == {"reply": "pass"}


@pytest.mark.parametrize("config", [{"key_env": "VENDOR_KEY"}, {"test_env": {"VENDOR_KEY": "{key}"}}], ids=str)
def test_the_key_of_the_test_comes_where_the_settings_say(trial: Trying, config: dict[str, Any]) -> None:
    aimed = {"OPENAI_BASE_URL": "{url}/v1", **config.get("test_env", {})}
    vice = 'os.environ["AUTOPILOT_AGENT_KEY"] = os.environ["VENDOR_KEY"]\n'
    assert results(trial("small", ["secrets"], vice, **config | {"test_env": aimed})) == {"secrets": "pass"}


def test_unknown_agents_and_cases_are_refused_before_anything_is_tried(trial: Trying, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no case named 'flight'"):
        choose_cases(["reply", "flight"])
    settings = Settings(tmp_path, {"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    with pytest.raises(UsageError, match="no agent named 'clod'"):
        next(run_cases(["codex", "clod"], settings))


@pytest.fixture
def command(tmp_path: Path, home: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line, with an agent that can be relied on and one that cannot in the user's settings."""
    described = {"good": "", "bad": VICES["says it has committed"].code}
    lines: list[str] = []
    for name, vice in described.items():
        lines.append(f"[agent.{name}]")
        for key, value in describe_small(tmp_path / name, vice).items():
            pairs = ", ".join(f'{word} = "{said}"' for word, said in value.items()) if isinstance(value, dict) else ""
            lines.append(f"{key} = {{ {pairs} }}" if pairs else f"{key} = {json.dumps(value)}")
    (home / ".config" / "autopilot").mkdir(parents=True)
    (home / ".config" / "autopilot" / "settings.toml").write_text("\n".join(lines))
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        argv = [sys.executable, "-m", "autopilot", "agents", "test", *words]
        return subprocess.run(argv, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def test_the_matrix_is_data_and_progress_is_talk(command: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    both = command("good", "bad", "--case", "found", "--case", "commit")
    assert both.returncode == 1
    table, remarks, ends = both.stdout.split("\n\n")
    assert [line.split() for line in table.splitlines()] == [
        ["CASE", "good", "bad"],
        ["found", "pass", "pass"],
        ["commit", "pass", "fail"],
    ]
    assert remarks == "bad, commit: it reported success, but there is no commit"
    assert (
        ends == "good: passes the cases that were run; not all cases were run\nbad: does not pass: commit (required)\n"
    )
    assert [line.partition(" (")[0] for line in both.stderr.splitlines()] == [
        "good  found: pass",
        "good  commit: pass",
        "bad  found: pass",
        "bad  commit: fail",
    ]


def test_scripts_get_json_and_the_exit_status(command: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    alone = command("good", "--case", "found", "--json", "-q")
    assert (alone.returncode, alone.stderr) == (0, "")
    [told] = json.loads(alone.stdout)
    assert (told["agent"], told["passes"], told["cases"][0]["result"]) == ("good", True, "pass")
    listed = command("--list")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == NAMES
    nobody = command()
    assert (nobody.returncode, nobody.stderr.splitlines()[0]) == (2, "error: no agent was named")


def test_the_guide_names_every_case_and_its_model_script_is_one() -> None:
    section = GUIDE.partition("### The cases")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", section, re.MULTILINE)
    assert [name for name, _ in rows] == NAMES
    assert [name for name, about in rows if "not required" not in about] == REQUIRED
    [example] = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    assert len(parse_model_script(example).rules) == len(json.loads(example)["rules"]) == 2
