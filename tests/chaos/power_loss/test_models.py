"""The models of a disk and the reader of strace, on short examples."""

from __future__ import annotations

import pytest

from tests.chaos.power_loss.disk import Disk, File
from tests.chaos.power_loss.operations import (
    ROOT,
    Move,
    Name,
    Operation,
    Promise,
    Resize,
    Sync,
    SyncAll,
    Unname,
    Write,
    WriteOut,
)
from tests.chaos.power_loss.power_cut import Cut, Model, Recording, disk_after, drawn_cuts, promised, safe_operations
from tests.chaos.power_loss.recorder import operations_of
from tests.chaos.power_loss.system_calls import parse_calls
from tests.seed import chance

FILE = 1
NEW = b"n" * 2000
CREATED = (Name(ROOT, "draft", FILE), Write(FILE, 0, NEW))
RENAMED = Move(ROOT, "draft", ROOT, "file", FILE)


@pytest.mark.parametrize(
    ("operations", "strict", "journaled"),
    [
        pytest.param(CREATED, set(), set(), id="nothing is synced"),
        pytest.param((*CREATED, Sync(FILE)), {1}, {0, 1}, id="the file is synced"),
        pytest.param((*CREATED, Sync(FILE, only_content=True)), {1}, {1}, id="its content is synced"),
        pytest.param((*CREATED, Sync(ROOT)), {0}, {0}, id="the folder is synced"),
        pytest.param((Sync(FILE), Sync(ROOT), *CREATED), set(), set(), id="synced too early"),
        pytest.param((*CREATED, SyncAll()), {0, 1}, {0, 1}, id="all is synced"),
        pytest.param((*CREATED, WriteOut(FILE), Sync(2)), set(), {0, 1}, id="written out, and another file synced"),
        pytest.param((*CREATED, WriteOut(FILE)), set(), set(), id="only written out"),
        pytest.param((*CREATED, Sync(FILE), RENAMED), {1}, {0, 1}, id="renamed after the sync"),
        pytest.param((*CREATED, Sync(FILE), RENAMED, Sync(ROOT)), {0, 1, 3}, {0, 1, 3}, id="the whole way"),
    ],
)
def test_what_a_sync_makes_safe(operations: tuple[Operation, ...], strict: set[int], journaled: set[int]) -> None:
    assert safe_operations(operations, Model.STRICT) == strict
    assert safe_operations(operations, Model.JOURNALED) == journaled


def recording(*operations: Operation) -> Recording:
    before = Disk()
    before.add(File())
    before.folder(ROOT).entries["file"] = before.add(File(b"old"))
    return Recording(before, operations)


def found(disk: Disk, path: str) -> bytes | None:
    node = disk.find(path)
    return None if node is None else bytes(disk.file(node).content)


def all_found(made: Recording, model: Model, path: str = "file") -> set[bytes | None]:
    cuts = drawn_cuts(made, chance("power_cut"))
    return {found(disk_after(made, next(cuts), model), path) for _ in range(500)}


@pytest.mark.parametrize("model", Model)
def test_a_file_that_is_synced_before_its_rename_is_old_or_new(model: Model) -> None:
    assert all_found(recording(*CREATED, Sync(FILE), RENAMED, Sync(ROOT)), model) == {b"old", NEW}


@pytest.mark.parametrize("model", Model)
def test_a_file_that_is_renamed_before_its_sync_may_be_empty_torn_or_zeros(model: Model) -> None:
    seen = all_found(recording(*CREATED, RENAMED, Sync(FILE), Sync(ROOT)), model)
    assert {b"old", NEW, b""} < seen
    assert any(content and content[:512] == bytes(512) for content in seen)


def test_only_without_a_journal_may_a_name_be_older_than_a_later_one() -> None:
    made = recording(Name(ROOT, "first", FILE), Name(ROOT, "second", FILE))
    cuts = [Cut(2, 0.5, seed) for seed in range(100)]
    seen = {model: {tuple(disk_after(made, cut, model).folder(ROOT).entries) for cut in cuts} for model in Model}
    assert ("file", "second") in seen[Model.STRICT]
    assert ("file", "second") not in seen[Model.JOURNALED]


def test_what_happened_to_one_name_is_found_in_its_order() -> None:
    made = recording(Unname(ROOT, "file"), Name(ROOT, "file", FILE), Unname(ROOT, "file"), Sync(ROOT), RENAMED)
    assert all_found(made, Model.STRICT) == {b"old", b"", None}


def test_the_least_is_what_was_synced_and_the_most_is_everything() -> None:
    made = recording(*CREATED, RENAMED, Resize(FILE, 3), Promise("kept"))
    for model in Model:
        assert found(disk_after(made, Cut(5, 0.0), model), "file") == b"old"
        assert found(disk_after(made, Cut(5, 1.0), model), "file") == b"nnn"
    assert (promised(made, Cut(4, 1.0)), promised(made, Cut(5, 1.0))) == ((), ("kept",))


def hexadecimal(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def line(text: str) -> str:
    """Write `…` for a string or path that strace would show in hexadecimal."""
    parts = text.split("`")
    return "".join(hexadecimal(part) if number % 2 else part for number, part in enumerate(parts))


def test_calls_of_several_processes_become_operations_on_nodes() -> None:
    lines = [
        '10 openat(AT_FDCWD<`/top`>, "`draft`", O_WRONLY|O_CREAT|O_EXCL, 0600 <unfinished ...>',
        '11 openat(AT_FDCWD<`/top`>, "`gone`", O_RDONLY) = -1 ENOENT (No such file or directory)',
        "10 <... openat resumed>)             = 3<`/top/draft`>",
        '10 write(3<`/top/draft`>, "`ab`", 2) = 2',
        '10 writev(3<`/top/draft`>, [{iov_base="`c`", iov_len=1}, {iov_base="`de`", iov_len=2}], 2) = 3',
        '10 pwrite64(3<`/top/draft`>, "`XY`", 2, 1) = 2',
        "10 fsync(3<`/top/draft`>) = 0",
        "10 vfork( <unfinished ...>",
        '11 rename("`/top/draft`", "`/top/file`") = 0',
        '10 write(1<pipe:[7]>, "`no file`", 7) = 7',
        "10 <... vfork resumed>) = 11",
        '10 openat(AT_FDCWD<`/top`>, "`.`", O_RDONLY|O_DIRECTORY) = 4<`/top`>',
        "10 fsync(4<`/top`>) = 0",
        '10 readlink("`/acknowledged/file 1`", 0x7ffe, 4096) = -1 ENOENT (No such file or directory)',
    ]
    made = operations_of("/top", Disk(), parse_calls(map(line, lines)))
    assert made.operations == (
        Name(ROOT, "draft", 1),
        Write(1, 0, b"ab"),
        Write(1, 2, b"cde"),
        Write(1, 1, b"XY"),
        Sync(1),
        Move(ROOT, "draft", ROOT, "file", 1),
        Sync(ROOT),
        Promise("file 1"),
    )
    assert found(disk_after(made, Cut(8, 0.0), Model.STRICT), "file") == b"aXYde"


def test_a_call_that_nobody_understands_stops_the_recording() -> None:
    with pytest.raises(AssertionError, match="truncate is recorded and not understood"):
        operations_of("/top", Disk(), parse_calls([line('10 truncate("`/top/x`", 3) = 0')]))
