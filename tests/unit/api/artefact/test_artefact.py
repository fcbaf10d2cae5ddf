"""The file that carries a record: its seal, what it refuses, and which rows are new where it is taken up."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.adapters.artefact.carried import KEY, Carried, artefact_key, read_artefact, write_artefact
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.command import Git
from autopilot.adapters.git.packing import pack_up, read_packed, unpack
from autopilot.adapters.git.skeleton import make_vault
from autopilot.adapters.journal.chain import Row, check_links
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.api.artefact.exporting import _refuse_secrets
from autopilot.api.artefact.importing import _fresh
from autopilot.events.entry import Entry
from autopilot.events.happened import Warned
from autopilot.events.people import RecordCarried
from autopilot.model.errors import RecordBroken, Unavailable, UsageError
from autopilot.model.secrecy.redaction import Redactor

# covers: CI-ARTEFACT

ENVIRONMENT = {KEY: "f3b1c5d7e9a2b4c6d8f0a1b3c5d7e9f1"}
SEAL = artefact_key(ENVIRONMENT)
EMPTY = Carried("1", (), (), {}, "", {}, {}, b"")


def journal(folder: Path, key: bytes, *texts: str, run: str = "run-1") -> SqliteJournal:
    folder.mkdir()
    made = SqliteJournal(folder / "journal.db", key, SystemClock())
    made.append([Entry(run, f"{run}/{number}", Warned(text)) for number, text in enumerate(texts)])
    return made


@pytest.mark.parametrize("environment", [{}, {KEY: ""}, {KEY: "short"}])
def test_without_a_key_of_its_own_nothing_is_sealed(environment: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=KEY) as refused:
        artefact_key(environment)
    assert "openssl rand" in refused.value.hint


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rows = journal(tmp_path / "a", bytes(32), "one").rows()
    carried = replace(EMPTY, rows=rows, texts={"a" * 64: b"text"}, offers={"autopilot/x": "b" * 40})
    write_artefact(carried, SEAL, tmp_path / "file")
    assert read_artefact(tmp_path / "file", SEAL)[0] == carried
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0


def _flip(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


def _forge(content: bytes) -> bytes:
    body = zlib.compress(msgspec.msgpack.encode(replace(EMPTY, version="forged")))
    return content[: content.index(b"\n") + 1] + body


@pytest.mark.parametrize("alter", [_flip, _forge, lambda content: content[:-9], lambda content: content + b"x"])
def test_a_file_that_was_changed_is_refused_before_it_is_read(tmp_path: Path, alter: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "file"
    write_artefact(EMPTY, SEAL, file)
    file.write_bytes(alter(file.read_bytes()))
    with pytest.raises(RecordBroken, match="does not fit"):
        read_artefact(file, SEAL)


def test_a_seal_of_another_key_and_a_file_of_another_kind_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_artefact(EMPTY, SEAL, file)
    with pytest.raises(RecordBroken):
        read_artefact(file, artefact_key({KEY: "x" * 40}))
    file.write_bytes(b"PK\3\4")
    with pytest.raises(UsageError, match="is no artefact"):
        read_artefact(file, SEAL)


@pytest.mark.parametrize(("name", "wrong"), [("", "is a folder"), ("nowhere/file", "does not exist")])
def test_what_is_no_file_is_refused_without_a_word_about_removing_it(tmp_path: Path, name: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=f"^the artefact {tmp_path / name} {wrong}$") as refused:
        read_artefact(tmp_path / name, SEAL)
    assert refused.value.hint == "name the file that `autopilot log export FILE` wrote"


def test_rows_of_another_machine_are_part_of_our_chain_under_our_key(tmp_path: Path) -> None:
    theirs = journal(tmp_path / "theirs", b"t" * 32, "one", "two").rows()
    ours = journal(tmp_path / "ours", b"o" * 32, "earlier", run="run-0")
    ours.take_over(_fresh(ours.rows(), theirs))
    ours.append([Entry("run-1", "run-1/carried", RecordCarried("a" * 64, 2, theirs[-1].mac))])
    found = list(ours.read())
    assert [stored.run for stored in found] == ["run-0", "run-1", "run-1", "run-1"]
    assert [stored.time.isoformat() for stored in found[1:3]] == [row.time for row in theirs]
    again = SqliteJournal(tmp_path / "ours" / "journal.db", b"o" * 32, SystemClock(), readonly=True)
    assert len(list(again.read())) == 4
    with pytest.raises(RecordBroken):
        list(SqliteJournal(tmp_path / "ours" / "journal.db", b"t" * 32, SystemClock(), readonly=True).read())


def test_a_run_goes_on_from_where_it_is_known_and_not_where_it_went_on_twice(tmp_path: Path) -> None:
    theirs = journal(tmp_path / "theirs", b"t" * 32, "one", "two", "three").rows()
    assert _fresh((), theirs) == theirs
    assert _fresh(theirs[:2], theirs) == theirs[2:]
    assert _fresh(theirs, theirs[:2]) == (), "we are ahead"
    mark = theirs[1]._replace(kind=RecordCarried.__name__, key="mark")
    assert _fresh((*theirs[:2], mark), theirs) == theirs[2:], "that it was carried is no difference"
    other = theirs[2]._replace(payload=b"{}")
    with pytest.raises(UsageError, match="went on here and where the artefact comes from"):
        _fresh((*theirs[:2], other), theirs)


def test_a_chain_with_a_hole_is_refused(tmp_path: Path) -> None:
    rows: tuple[Row, ...] = journal(tmp_path / "theirs", b"t" * 32, "one", "two", "three").rows()
    check_links(rows)
    for broken in (rows[1:], (rows[0], rows[2]), (rows[1], rows[0])):
        with pytest.raises(RecordBroken):
            check_links(broken)


def test_a_known_secret_anywhere_is_refused_by_the_name_of_its_place() -> None:
    redactor = Redactor({"TOKEN": "hunter2-hunter2-hunter2"})
    _refuse_secrets([("entry 1", b"nothing here")], redactor)
    with pytest.raises(Unavailable) as refused:
        _refuse_secrets([("entry 1", b"x"), ("the git object abc", b"k = hunter2-hunter2-hunter2")], redactor)
    assert "the git object abc" in str(refused.value) and "hunter2" not in str(refused.value)


def vault(path: Path) -> Git:
    make_vault(path)
    return Git(path)


def commit(git: Git, text: str, *parents: str) -> str:
    blob = git.run("hash-object", "-w", "--stdin", stdin=text.encode()).decode().strip()
    tree = git.run("mktree", stdin=f"100644 blob {blob}\tfile\n".encode()).decode().strip()
    named = [argument for parent in parents for argument in ("-p", parent)]
    return git.run("commit-tree", tree, *named, "-m", text).decode().strip()


def test_commits_travel_without_what_the_other_side_has(tmp_path: Path) -> None:
    here, there = vault(tmp_path / "here"), vault(tmp_path / "there")
    base = commit(here, "base")
    tip = commit(here, "new", base)
    assert [content for _, content in read_packed(here, [tip], base) if content == b"new"] == [b"new"]
    assert all(content != b"base" for _, content in read_packed(here, [tip], base))
    pack = pack_up(here, [tip], base)
    with pytest.raises(RecordBroken, match="not whole"):
        unpack(there, pack)
    assert there.ask("cat-file", "-e", tip).code != 0, "nothing is left behind"
    unpack(there, pack_up(here, [base], ""))
    unpack(there, pack)
    assert there.run("log", "--format=%s", tip).decode().split() == ["new", "base"]
    unpack(there, pack_up(here, [base], base))
