"""``autopilot rails``: every rail by its exit status, as shell workflows branch on it (AL-4, AL-5)."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from autopilot.api.issue.rails import pin_anchor
from autopilot.cli.commands.rails import COMMANDS
from autopilot.cli.dispatch import dispatch
from autopilot.cli.issue.rails_options import RAILS
from autopilot.model.errors import AutopilotError

# covers: AL-4, AL-5, ISSUE-RAILS, CMD-RAILS
GO_ON, TRIPPED, USAGE, CORRUPT = 0, 1, 2, 3


def ask(*words: object) -> int:
    try:
        return dispatch(["rails", *map(str, words)])
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        return ended.code


def pipe(content: bytes, *words: object) -> subprocess.CompletedProcess[bytes]:
    argv = (sys.executable, "-m", "autopilot", "rails", *map(str, words))
    return subprocess.run(argv, input=content, capture_output=True, check=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def record(log: Path, marks: str, step: str = "atdd") -> None:
    """Capitals pass."""
    for number, mark in enumerate(marks, 1):
        assert ask("record_iteration", log, number, step, "PASS" if mark.isupper() else "FAIL", mark) == GO_ON


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("1", "atdd", "FAIL", "a.b_c:d-1"), GO_ON),
        (("007", "", "PASS", "a"), GO_ON),
        (("x", "atdd", "FAIL", "a"), USAGE),
        (("", "atdd", "FAIL", "a"), USAGE),
        (("-1", "atdd", "FAIL", "a"), USAGE),
        (("1.0", "atdd", "FAIL", "a"), USAGE),
        (("²", "atdd", "FAIL", "a"), USAGE),
        (("9" * 5000, "atdd", "FAIL", "a"), USAGE),
        (("1", "atdd", "FAIL", ""), USAGE),
        (("1", "atdd", "FAIL", "a b"), USAGE),
        (("1", "atdd", "FAIL", 'a"'), USAGE),
        (("1", "atdd", "FAIL", "a\n"), USAGE),
        (("1", "atdd", "no verdict of ours", "a"), GO_ON),
        (("1", "atdd", "FAIL"), USAGE),
        (("1", "atdd", "FAIL", "a", "b"), USAGE),
    ],
)
def test_an_iteration_is_recorded_or_nothing_is(log: Path, words: tuple[str, ...], status: int) -> None:
    assert ask("record_iteration", log, *words) == status
    assert log.exists() is (status == GO_ON)


def test_rows_are_those_of_the_sources_and_bound_to_each_other(log: Path) -> None:
    record(log, "ab")
    assert ask("record-iteration", log, "007", 'step\n"\x07\udcff', "PASS", "c") == GO_ON
    lines = log.read_text().splitlines()
    first, _, last = map(json.loads, lines)
    assert list(first) == ["iteration", "step", "verdict", "fingerprint", "timestamp", "prev"]
    assert (first["iteration"], first["step"], first["verdict"], first["prev"]) == (1, "atdd", "FAIL", "")
    assert (last["iteration"], last["step"]) == (7, 'step\n"\x07\\udcff')
    assert last["prev"] == sha256(lines[1].encode()).hexdigest()


def test_a_word_that_is_no_verdict_is_kept_as_it_is_and_counts_as_a_failure(log: Path) -> None:
    """A misspelt FAIL must not switch the rails off; quotes stay data."""
    for number, word in enumerate(("fail", 'FAIL"injected'), 1):
        assert ask("record_iteration", log, number, 'US"evil', word, "same") == GO_ON
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(row["step"], row["verdict"]) for row in rows] == [('US"evil', "fail"), ('US"evil', 'FAIL"injected')]
    assert ask("check_sameness", log, 'US"evil') == TRIPPED


@pytest.mark.parametrize(
    ("words", "status"),
    [
        *((("atdd", reason), GO_ON) for reason in ("MAX_ITERATIONS", "sameness-detector", "stuck")),
        *((("atdd", reason), GO_ON) for reason in ("ac-drift", "log-integrity", "gate-unverifiable")),
        (("atdd", "stuck", '[{"priority":0,"evidence_ref":"AC-1"}]'), GO_ON),
        (("atdd", "stuck", 'no"list'), GO_ON),
        (("atdd", "stuck", ""), GO_ON),
        (("atdd", "record-error"), USAGE),
        (("atdd", "freeze-error"), USAGE),
        (("atdd", ""), USAGE),
        (("atdd",), USAGE),
    ],
)
def test_a_halt_has_one_of_six_reasons(log: Path, words: tuple[str, ...], status: int) -> None:
    assert ask("record_halt", log, *words) == status
    assert log.exists() is (status == GO_ON)
    if log.exists():
        digest = json.loads(log.read_text())["findings_digest"]
        assert digest == (words[2] if words[2:] == ('no"list',) else json.loads(words[2] or "[]") if words[2:] else [])


@pytest.mark.parametrize(
    ("marks", "words", "status"),
    [
        ("", (), GO_ON),  # nothing was recorded yet, not even the file
        ("a", (), GO_ON),
        ("aa", (), TRIPPED),
        ("aPa", (), TRIPPED),
        ("ab", (), GO_ON),
        ("aa", ("atdd",), TRIPPED),
        ("aa", ("other",), GO_ON),
        ("aa", ("atdd", "more"), USAGE),
    ],
)
def test_sameness(log: Path, marks: str, words: tuple[str, ...], status: int) -> None:
    record(log, marks)
    assert ask("check_sameness", log, *words) == status


@pytest.mark.parametrize(
    ("marks", "words", "status"),
    [
        ("", (), GO_ON),
        ("aba", (), TRIPPED),
        ("abc", (), GO_ON),
        ("aa", (), GO_ON),
        ("aa", ("2",), TRIPPED),
        ("abca", ("4",), TRIPPED),
        ("aba", ("3", "atdd"), TRIPPED),
        ("aba", ("3", "other"), GO_ON),
        ("aba", ("x",), USAGE),
        ("aba", ("",), USAGE),
        ("aba", ("0",), USAGE),
        ("aba", ("-3",), USAGE),
    ],
)
def test_stuck(log: Path, marks: str, words: tuple[str, ...], status: int) -> None:
    record(log, marks)
    assert ask("check_stuck", log, *words) == status


def test_stuck_says_what_was_seen(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(log, "aa")
    ask("check_stuck", log, "2")
    assert "two of the last 2 failures are the same" in capsys.readouterr().err


def test_a_halt_between_two_failures_changes_nothing_for_the_rails(log: Path) -> None:
    record(log, "ab")
    assert ask("record_halt", log, "atdd", "stuck") == GO_ON
    record(log, "a")
    assert (ask("check_sameness", log), ask("check_stuck", log)) == (GO_ON, TRIPPED)


@pytest.mark.parametrize(
    "spoilt", [b"no row\n", b'{"verdict":"FAIL"}\n', b"\xff\n", b'{"iteration":1,"step":"a","verd']
)
def test_a_corrupt_log_is_neither_tripped_nor_fine(log: Path, spoilt: bytes) -> None:
    log.write_bytes(spoilt)
    record(log, "ab")
    assert log.read_bytes().startswith(spoilt), "nothing that is there is lost"
    assert (ask("check_sameness", log), ask("check_stuck", log)) == (CORRUPT, CORRUPT)
    assert ask("check_log_integrity", log, 3) == GO_ON, "its length is what was recorded"


def add_line(log: Path, line: str) -> None:
    log.write_text(log.read_text() + line + "\n")


def test_rows_of_other_tools_between_ours_count_and_only_integrity_speaks_of_their_chain(log: Path) -> None:
    """The shell library writes no `prev`, and writes after us too."""
    record(log, "a")
    add_line(log, '{"iteration":2,"step":"atdd","verdict":"PASS","fingerprint":"p","timestamp":"2026-01-01T00:00:00Z"}')
    add_line(log, '{"iteration":3,"step":"atdd","verdict":"FAIL","fingerprint":"b"}')
    assert (ask("check_sameness", log), ask("check_stuck", log)) == (GO_ON, GO_ON)
    add_line(log, '{"iteration":4,"step":"atdd","verdict":"FAIL","fingerprint":"b"}')
    assert (ask("check_sameness", log), ask("check_stuck", log)) == (TRIPPED, TRIPPED)
    assert ask("check_log_integrity", log, 4) == TRIPPED


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ('{"iteration":3,"step":"atdd","verdict":"PASS","fingerprint":"', TRIPPED),  # cut off
        ('{"iteration":3,"step":"atdd","verdict": "PASS","fingerprint":""}', TRIPPED),
        ('{"iteration":3,"step":"atdd","verdict":"FAIL","fingerprint":"', CORRUPT),
        ('{"iteration":3,"step":"atdd","verdict":"PASS","fingerprint":"{"verdict":"FAIL"', CORRUPT),  # two in one
        ('{"iteration":3,"step":"atdd","verdict":"odd","fingerprint":""}', CORRUPT),
    ],
)
def test_a_malformed_row_that_passed_repeats_no_failure_and_any_other_is_corrupt(
    log: Path, line: str, status: int
) -> None:
    record(log, "aa")
    add_line(log, line)
    assert ask("check_sameness", log) == status


@pytest.mark.parametrize(
    ("current", "limit", "status"),
    [
        ("3", "4", GO_ON),
        ("4", "4", TRIPPED),
        ("5", "4", TRIPPED),
        ("", "4", USAGE),
        ("3", "", USAGE),
        ("x", "4", USAGE),
        ("3", "many", USAGE),
        ("-1", "4", USAGE),
    ],
)
def test_max_iterations(current: str, limit: str, status: int) -> None:
    assert ask("check_max_iterations", current, limit) == status


def test_what_is_no_number_is_called_invalid(log: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert ask("check_log_integrity", log, "3; echo no") == USAGE
    assert 'error: EXPECTED is invalid: "3; echo no" is not a number' in capfd.readouterr().err


def test_a_number_that_is_too_large_is_refused_with_the_largest_one(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask("check_max_iterations", "3", "9" * 23) == USAGE
    error, hint = capfd.readouterr().err.splitlines()
    assert error.endswith(f"{'9' * 23}, which is too large")
    assert hint.endswith(f"the largest number allowed is {'9' * 18}")
    for long in ("9" * 6_000, "x" * 6_000):
        assert ask("check_max_iterations", "3", long) == USAGE
        assert len(capfd.readouterr().err) < 200


def test_the_help_says_that_a_log_that_does_not_exist_yet_is_empty(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ask("check_stuck", tmp_path / "none") == GO_ON
    assert ask("--help") == 0
    assert "A LOG that does not exist yet counts as empty" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("content", "expected", "status"),
    [
        (None, "0", GO_ON),
        (None, "1", TRIPPED),
        ("", "0", GO_ON),
        ("", "1", TRIPPED),
        ("x\ny\n", "2", GO_ON),
        ("x\n\n\ny", "02", GO_ON),
        ("x\ny\n", "1", TRIPPED),
        ("x\ny\n", "3", TRIPPED),
        ("x\n", "", USAGE),
        ("x\n", "one", USAGE),
    ],
)
def test_log_integrity_is_an_exact_number_of_lines(log: Path, content: str | None, expected: str, status: int) -> None:
    if content is not None:
        log.write_text(content)
    assert ask("check_log_integrity", log, expected) == status


def test_a_line_that_was_changed_in_place_trips_too(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(log, "abc")
    assert ask("check_log_integrity", log, 3) == GO_ON
    log.write_text(log.read_text().replace('"fingerprint":"b"', '"fingerprint":"z"'))
    assert ask("check_log_integrity", log, 3) == TRIPPED
    assert "line 3 of" in capsys.readouterr().err


def test_an_anchor_is_pinned_once_and_its_drift_is_seen(tmp_path: Path) -> None:
    pin = tmp_path / "prd.pin"
    assert pipe(b"  \n", "pin_anchor", pin).returncode == USAGE and not pin.exists()
    assert pipe(b"# What\n\n  we want\n", "pin_anchor", pin).returncode == GO_ON
    before = pin.read_bytes()
    assert pipe(b"# Other\n", "pin-anchor", pin).returncode == USAGE and pin.read_bytes() == before
    current = pipe(b"# What we want", "fingerprint")
    assert (current.returncode, current.stdout) == (GO_ON, before)
    assert ask("check_pin", pin, current.stdout.decode().strip()) == GO_ON
    assert ask("check_pin", pin, "a" * 64) == TRIPPED
    assert (ask("check_pin", pin, ""), ask("check_pin", pin, "a b"), ask("check_pin", pin)) == (USAGE, USAGE, USAGE)
    assert ask("check_pin", tmp_path / "none.pin", "abc") == USAGE
    pin.write_text("two words\n")
    assert ask("check_pin", pin, "abc") == USAGE


def test_any_bytes_have_a_fingerprint() -> None:
    assert pipe(b" a \t b\n\n c\xff ", "fingerprint").stdout.startswith(b"76abb54acd87569f")


@pytest.mark.parametrize("words", [(), ("no_such_rail",), ("check_sameness",), ("fingerprint", "x"), ("--bogus",)])
def test_what_is_not_understood_is_usage(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(*words) == USAGE
    assert capsys.readouterr().err.startswith("error: ")


def test_an_unknown_name_is_told_all_there_are_and_the_help_teaches_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(RAILS) == set(COMMANDS)
    ask("no_such_rail")
    told = capsys.readouterr().err
    assert ask("--help") == GO_ON
    taught = capsys.readouterr().out
    assert all(name in told and f"{name} {rail.arguments}".strip() in taught for name, rail in RAILS.items())


@pytest.mark.parametrize("path", ["", ".", "/", "{0}", "{0}/file/log", "{0}/" + "x" * 300])
def test_a_path_that_cannot_be_used_is_never_a_traceback(
    tmp_path: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    named = path.format(tmp_path)
    writing = (("record_iteration", named, "1", "s", "FAIL", "a"), ("record_halt", named, "s", "stuck"))
    reading = (("check_sameness", named), ("check_stuck", named), ("check_log_integrity", named, "1"))
    red = (("record_red_evidence", named, "a", "t", "b"), ("check_red_evidence", "a", "b", named))
    for words in (*writing, *reading, *red, ("check_pin", named, "a")):
        assert ask(*words) == USAGE, words
    with pytest.raises(AutopilotError):
        pin_anchor(Path(named), b"x")
    assert "Traceback" not in capsys.readouterr().err


class Repository:
    """The test of a sum, then its implementation; and beside them an implementation that changed the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self._git("init", "-q", "-b", "main")
        self.begun = self.commit({"add.sh": "echo 0\n"}, "begin")
        self.test = self.commit({"test.sh": 'test "$(sh add.sh)" = 3\n'}, "test")
        self.impl = self.commit({"add.sh": "echo 3\n"}, "implementation")
        self._git("checkout", "-q", "-b", "weakened", self.test)
        self.weakened = self.commit({"test.sh": "true\n"}, "weakened")
        self.red = folder / "red.jsonl"

    def commit(self, files: dict[str, str], message: str) -> str:
        for name, text in files.items():
            (self.folder / name).write_text(text)
        self._git("add", "-A")
        self._git("-c", "user.name=u", "-c", "user.email=u@e", "commit", "-qm", message)
        return self._git("rev-parse", "HEAD")

    def record(self, test: str, impl: str) -> None:
        assert ask("record_red_evidence", self.red, test, "test.sh", impl) == GO_ON

    def _git(self, *words: str) -> str:
        ran = subprocess.run(("git", *words), cwd=self.folder, check=True, capture_output=True, text=True)
        return ran.stdout.strip()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = Repository(tmp_path_factory.mktemp("red") / "project")
    pairs = [(made.test, made.impl), (made.impl, made.test), (made.test, made.test), (made.begun, made.test)]
    for test, impl in [*pairs, (made.test, made.weakened), (made.test[:12], made.impl[:12]), ("main", made.impl)]:
        made.record(test, impl)
    return made


def test_red_evidence_is_a_row_and_an_order_of_commits(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    test, impl, red = repository.test, repository.impl, repository.red
    assert json.loads(red.read_text().splitlines()[0]).keys() == {"step", "commit", "impl_sha", "at_file", "timestamp"}
    assert ask("check_red_evidence", test, impl, red) == GO_ON
    assert "not replayed" in capsys.readouterr().err
    assert ask("check_red_evidence", test[:12], impl[:12], red, repository.folder) == GO_ON
    assert ask("check_red_evidence", test, impl, tmp_path / "none.jsonl", repository.folder) == TRIPPED  # no file
    assert ask("check_red_evidence", test, repository.begun, red) == TRIPPED  # no row
    alone = tmp_path / "alone.jsonl"  # recorded when there was no implementation yet
    assert ask("record_red_evidence", alone, test, "test.sh") == GO_ON
    assert list(json.loads(alone.read_text())) == ["step", "commit", "at_file", "timestamp"]
    assert ask("check_red_evidence", test, impl, alone, repository.folder) == GO_ON
    assert ask("check_red_evidence", impl, test, alone, repository.folder) == TRIPPED
    assert ask("check_red_evidence", impl, test, red) == TRIPPED  # the other way round
    assert ask("check_red_evidence", test, test, red) == TRIPPED  # not strictly before
    assert ask("check_red_evidence", "main", impl, red) == TRIPPED  # a name is no commit
    assert ask("check_red_evidence", test, impl, red, tmp_path) == TRIPPED  # no repository
    assert ask("check_red_evidence", "", impl, red) == USAGE
    capsys.readouterr()
    assert ask("check_red_evidence", 'a"b', impl, red) == USAGE
    assert 'the test commit is an invalid commit sha: "a"b"' in capsys.readouterr().err
    assert ask("check_red_evidence", test, "a b", red) == USAGE
    red_elsewhere = tmp_path / "red.jsonl"
    red_elsewhere.write_bytes(red.read_bytes() + b"no row\n")
    assert ask("check_red_evidence", test, impl, red_elsewhere, repository.folder) == CORRUPT


def test_commits_are_looked_up_in_the_current_folder_where_the_record_lies_in_no_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "red.jsonl"
    elsewhere.write_bytes(repository.red.read_bytes())
    words = ("check_red_evidence", repository.test, repository.impl, elsewhere)
    monkeypatch.chdir(tmp_path)
    assert ask(*words) == TRIPPED
    monkeypatch.chdir(repository.folder)
    assert ask(*words) == GO_ON


@pytest.mark.parametrize("words", [("", "t", "b"), ("a", "", "b"), ("a", "t", "b c"), ("a",), ("a b", "t", "b")])
def test_red_evidence_without_commits_or_test_is_not_recorded(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert ask("record_red_evidence", tmp_path / "red.jsonl", *words) == USAGE
    assert not (tmp_path / "red.jsonl").exists()


def test_a_replay_has_the_services_of_the_project_beside_it(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    config = repository.folder / ".planning" / "config.json"
    config.parent.mkdir()
    config.write_text('{"verify": {"services": {"mark": {"start": "touch up; sleep 60", "ready": "test -e up"}}}}')
    words = ("check_red_evidence", repository.test, repository.impl, repository.red)
    assert ask(*words, "--replay", "test -e up && sh test.sh") == GO_ON


def test_a_replay_sees_red_and_green_for_itself(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    before = sorted(repository.folder.iterdir())

    def replay(command: str, test: str, impl: str) -> tuple[int, str]:
        status = ask("check_red_evidence", test, impl, repository.red, "--replay", command)
        return status, capsys.readouterr().err

    assert replay("sh test.sh", repository.test, repository.impl) == (GO_ON, "")
    for command, test, impl, why in (
        ("true", repository.test, repository.impl, "must fail at"),
        ("false", repository.test, repository.impl, "must pass at"),
        ("no-such-command", repository.test, repository.impl, "did not finish"),
        ("sh test.sh", repository.test, repository.weakened, "test.sh differs between"),
    ):
        status, said = replay(command, test, impl)
        assert (status, why in said) == (TRIPPED, True), said
    assert sorted(repository.folder.iterdir()) == before
    assert ask("check_pin", "x", "y", "--replay", "true") == USAGE
