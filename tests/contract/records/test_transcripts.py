"""What an agent says is on disk while it works, without secrets; a kill loses nothing of it. covers: T7 R-SECRET"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path, PurePosixPath

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.live import read_live
from autopilot.adapters.transcript_log import TranscriptLog, read_log, remove_log
from autopilot.adapters.transcripts import BOTH_STREAMS, FileTranscripts
from autopilot.model.agent import AgentCall, Role, Usage
from autopilot.model.secrecy.redaction import Redactor

# covers: T7.blobs

SECRET = "hunter2-hunter2-hunter2"
BODY = ["b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz", "c2gtZWQyNTUxOQAAACDsecretbody1111"]
KEY = ["-----BEGIN OPENSSH PRIVATE KEY-----", *BODY, "c2hvcnQ=", "-----END OPENSSH PRIVATE KEY-----"]


@pytest.fixture
def blobs(tmp_path: Path) -> FileBlobs:
    return FileBlobs(tmp_path / "blobs", Redactor({"MY_TOKEN": SECRET}))


@pytest.fixture
def transcripts(tmp_path: Path, blobs: FileBlobs) -> FileTranscripts:
    return FileTranscripts(tmp_path / "live", blobs)


def call(task: str = "01-01") -> AgentCall:
    place = PurePosixPath("/nowhere")
    return AgentCall(Role.EXECUTOR, "1", "words", place, place, task=task, label="run-1/1/execute")


def on_disk(tmp_path: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted((tmp_path / "live").iterdir()))


def spoken(transcripts: FileTranscripts, blobs: FileBlobs, *lines: str, rest: str = "") -> tuple[str, str]:
    """What is kept of these lines, and of the rest."""
    transcript = transcripts.open("claude", call())
    for line in lines:
        transcript.line(line.encode())
    said, _, other = blobs.get(transcript.close(rest.encode())).partition(BOTH_STREAMS)
    return said.decode(), other.decode()


def test_every_line_is_on_disk_without_secrets_before_the_next_one_comes(
    transcripts: FileTranscripts, tmp_path: Path
) -> None:
    transcript = transcripts.open("claude", call())
    transcript.line(b"one\n")
    assert b"one\n" in on_disk(tmp_path)
    transcript.line(f"the token is {SECRET}\n".encode())
    assert b"the token is [redacted:MY_TOKEN]\n" in on_disk(tmp_path)
    assert SECRET.encode() not in on_disk(tmp_path)


def test_what_was_said_becomes_one_blob_and_the_files_go(
    transcripts: FileTranscripts, blobs: FileBlobs, tmp_path: Path
) -> None:
    transcript = transcripts.open("claude", call())
    transcript.line(b"said")
    digest = transcript.close(f"said\nan error with {SECRET}\n".encode())
    assert blobs.get(digest) == b"said\n" + BOTH_STREAMS + b"said\nan error with [redacted:MY_TOKEN]\n"
    assert list((tmp_path / "live").iterdir()) == []


@pytest.mark.parametrize("prefix", ["", "   12\t", "> "])
def test_a_key_printed_line_by_line_is_not_kept_in_pieces(
    transcripts: FileTranscripts, blobs: FileBlobs, prefix: str
) -> None:
    shown = ["$ cat key", *(prefix + line for line in KEY), "and on it goes"]
    for said in spoken(transcripts, blobs, *shown, rest="\n".join(shown)):
        assert not [line for line in (*BODY, "c2hvcnQ=") if line in said]
        assert said.startswith("$ cat key\n") and said.endswith("and on it goes\n")


def test_after_a_key_that_was_cut_off_what_follows_is_kept(transcripts: FileTranscripts, blobs: FileBlobs) -> None:
    said, _ = spoken(transcripts, blobs, *KEY[:3], '{"type": "result", "text": "done it is"}', "and more")
    assert said.splitlines()[1:] == ['{"type": "result", "text": "done it is"}', "and more"]
    assert BODY[0] not in said


def chunk(text: str, order: str = "first") -> str:
    kind, content = {"sessionUpdate": "agent_message_chunk"}, {"content": {"type": "text", "text": text}}
    return json.dumps({"type": "update", "update": kind | content if order == "first" else content | kind})


@pytest.mark.parametrize("order", ["first", "last"])
@pytest.mark.parametrize("size", [1, 5, 11])
def test_a_secret_that_comes_chunk_by_chunk_is_not_kept_in_pieces(
    transcripts: FileTranscripts, blobs: FileBlobs, size: int, order: str
) -> None:
    text = f"look:\n{SECRET}\nthat was it"
    lines = [chunk(text[at : at + size], order) for at in range(0, len(text), size)]
    for said in spoken(transcripts, blobs, "{}", *lines, '{"type": "stop"}', rest="\n".join(lines)):
        told = [json.loads(line) for line in said.splitlines()]
        texts = [line["update"]["content"]["text"] for line in told if "update" in line]
        assert "".join(texts) == "look:\n[redacted:MY_TOKEN]\nthat was it"


def test_a_long_text_in_chunks_goes_to_disk_before_it_ends(transcripts: FileTranscripts, tmp_path: Path) -> None:
    transcript = transcripts.open("opencode", call())
    for number in range(3_000):
        transcript.line(chunk(f"line {number}\n").encode())
    assert b"line 1000\\n" in on_disk(tmp_path)


def test_messages_that_only_look_alike_stay_lines_of_their_own(transcripts: FileTranscripts, blobs: FileBlobs) -> None:
    lines = [json.dumps({"type": "item.updated", "item": {"text": text}}) for text in ("a", "ab", "abc")]
    assert spoken(transcripts, blobs, *lines)[0].splitlines() == lines


def test_colours_written_as_json_hide_no_secret(transcripts: FileTranscripts, blobs: FileBlobs) -> None:
    line = json.dumps({"output": f"\x1b[1m{SECRET[:9]}\x1b[0;31m{SECRET[9:]}\x1b[0m"})
    assert json.loads(spoken(transcripts, blobs, line)[0]) == {"output": "[redacted:MY_TOKEN]"}


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=12).filter(lambda line: b"\n" not in line)), st.integers(2, 60))
def test_a_log_keeps_both_ends_and_counts_the_rest(tmp_path: Path, lines: list[bytes], kept: int) -> None:
    place = tmp_path / "name"
    log = TranscriptLog(place, kept)
    for line in lines:
        log.write(line + b"\n")
    whole = b"".join(line + b"\n" for line in lines)
    content = read_log(place)
    log.close()
    remove_log(place)
    head, gap, tail = content.partition(" bytes left out …\n".encode())
    if not gap:
        assert content == whole
        return
    head, _, count = head.rpartition("… ".encode())
    assert whole.startswith(head) and whole.endswith(tail)
    assert len(head) + int(count) + len(tail) == len(whole)
    assert len(head) <= max(kept, 13) and len(tail) <= max(kept, 26)
    assert list(tmp_path.iterdir()) == []


def test_a_log_never_takes_more_room_than_it_may(tmp_path: Path) -> None:
    log = TranscriptLog(tmp_path / "name", 10_000)
    for _ in range(1_000):
        log.write(b"x" * 999 + b"\n")
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 20_000
    log.close()


def test_what_is_being_done_can_be_read_while_it_is_done(transcripts: FileTranscripts, tmp_path: Path) -> None:
    transcript = transcripts.open("claude", call())
    assert [doing["activity"] for doing in read_live(str(tmp_path / "live"))] == [""]
    transcript.doing("thinking", Usage())
    transcript.doing(f"Bash: curl -H {SECRET}\n\x1b[31mx", Usage(12_000, 340, usd=0.5))
    [doing] = read_live(str(tmp_path / "live"))
    assert doing.pop("elapsed_s") < 3600
    assert doing == {
        "agent": "claude",
        "role": "executor",
        "phase": "1",
        "task": "01-01",
        "activity": "Bash: curl -H [redacted:MY_TOKEN] x",
        "tokens": 12_340,
        "tokens_counted": 12_340,
        "usd": 0.5,
    }
    transcript.close(b"")
    assert read_live(str(tmp_path / "live")) == []


def test_the_last_thing_said_before_a_silence_is_the_one_that_shows(
    transcripts: FileTranscripts, tmp_path: Path
) -> None:
    transcript = transcripts.open("claude", call())
    for activity in ("reading", "thinking", "Bash: pytest -q"):
        transcript.doing(activity, Usage())
    assert [doing["activity"] for doing in read_live(str(tmp_path / "live"))] == ["Bash: pytest -q"]


def test_a_folder_with_rubbish_or_none_tells_nothing(tmp_path: Path) -> None:
    assert read_live(str(tmp_path / "missing")) == []
    for name, text in {"a.json": "{", "b.json": "[]", "c.json": "{}", "d.log": "x"}.items():
        (tmp_path / name).write_text(text)
    assert read_live(str(tmp_path)) == []


def test_calls_side_by_side_do_not_share_a_file(transcripts: FileTranscripts, blobs: FileBlobs) -> None:
    digests: dict[int, str] = {}

    def speak(number: int) -> None:
        transcript = transcripts.open("claude", call())
        for _ in range(200):
            transcript.line(f"I am {number}".encode())
            transcript.doing(f"at {number}", Usage(tokens_in=number))
        digests[number] = transcript.close(b"")

    threads = [threading.Thread(target=speak, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: set(blobs.get(d).splitlines()) for n, d in digests.items()} == {
        number: {f"I am {number}".encode(), BOTH_STREAMS.strip()} for number in range(6)
    }


KILLED = """
import os, signal, sys
from pathlib import Path
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.model.agent import Usage
from autopilot.model.secrecy.redaction import Redactor
from tests.contract.records.test_transcripts import SECRET, call

folder = Path(sys.argv[1])
open_calls = FileTranscripts(folder / "live", FileBlobs(folder / "blobs", Redactor({"MY_TOKEN": SECRET})))
for task in ("01-01", "01-02"):
    transcript = open_calls.open("claude", call(task))
    transcript.line(f"{task} has {SECRET}".encode())
    transcript.doing("Bash: make", Usage(tokens_in=100, tokens_out=7, usd=0.25))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_open_is_put_away_with_what_it_used(
    transcripts: FileTranscripts, blobs: FileBlobs, tmp_path: Path
) -> None:
    root = Path(__file__).resolve().parents[3]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], cwd=root, env=dict(os.environ), check=False)
    assert killed.returncode == -signal.SIGKILL
    assert read_live(str(tmp_path / "live")) == []  # nobody is at it any more
    left = transcripts.abandoned()
    assert left == transcripts.abandoned()  # a kill before it is recorded loses nothing
    assert sorted((one.task, one.label, one.agent, one.role, one.phase) for one in left) == [
        (task, "run-1/1/execute", "claude", Role.EXECUTOR, "1") for task in ("01-01", "01-02")
    ]
    assert {one.usage for one in left} == {Usage(tokens_in=100, tokens_out=7, usd=0.25)}
    assert {blobs.get(one.transcript) for one in left} == {
        f"{one.task} has [redacted:MY_TOKEN]\n".encode() for one in left
    }
    transcripts.forget(left)
    assert (transcripts.abandoned(), list((tmp_path / "live").iterdir())) == ((), [])


def test_what_earlier_calls_to_the_same_question_used_is_told_with_it(transcripts: FileTranscripts) -> None:
    again = msgspec.structs.replace(call(), earlier=Usage(tokens_in=500))
    transcripts.open("claude", again).doing("Bash: make", Usage(tokens_in=100))
    assert [one.usage for one in transcripts.abandoned()] == [Usage(tokens_in=600)]
    transcripts.open("claude", again)
    assert sum(one.usage.tokens_in for one in transcripts.abandoned()) == 1100
