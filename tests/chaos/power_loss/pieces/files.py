"""Single files: written atomically, created once, grown line by line; blobs; documents in the user's checkout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.files import create_atomically, write_atomically
from autopilot.adapters.git.checkout.documents import back_up_document, read_document, write_document
from autopilot.adapters.growing_file import grow, read_grown
from autopilot.model.secrecy.redaction import Redactor
from tests.chaos.power_loss.pieces.piece import latest
from tests.chaos.power_loss.promising import promise

_ROUNDS = 25
_DOCUMENTS = (".autopilot/state.json", ".autopilot/archive/old/run.json", ".planning/notes.md")
_SETTINGS = "settings"
_ONCE = "made-once"
_LOG = "audit.log"

Writer = Callable[[Path, bytes], None]


class FilesPiece:
    def __init__(self, write: Writer = write_atomically) -> None:
        self._write = write

    def prepare(self, folder: Path) -> None:
        (folder / "blobs").mkdir()
        (folder / "checkout" / ".planning").mkdir(parents=True)
        (folder / "checkout" / ".planning" / "notes.md").write_bytes(_content(".planning/notes.md", 0))
        (folder / _SETTINGS).write_bytes(_content(_SETTINGS, 0))

    def perform(self, folder: Path) -> None:
        blobs = FileBlobs(folder / "blobs", Redactor(()))
        for number in range(1, _ROUNDS + 1):
            self._write(folder / _SETTINGS, _content(_SETTINGS, number))
            promise(f"file {_SETTINGS} {number}")
            if create_atomically(folder / _ONCE, _content(_ONCE, number)):
                promise(f"once {_ONCE} {number}")
            grow(folder / _LOG, lambda there, number=number: _line(number))  # type: ignore[misc]
            promise(f"line {number} -")
            for path in _DOCUMENTS:
                if (before := read_document(folder / "checkout", path)) is not None:
                    back_up_document(folder / "checkout", path, before)
                write_document(folder / "checkout", path, _content(path, number))
                promise(f"document {path} {number}")
            for size in (10, 9_000):
                digest = blobs.keep(f"{number} ".encode() * size)
                promise(f"blob {digest} -")

    def judge(self, folder: Path, promised: Sequence[str]) -> None:
        wanted = latest(promised, "file").get(_SETTINGS, "0")
        _check_version(_SETTINGS, (folder / _SETTINGS).read_bytes(), int(wanted))
        for path, number in {**dict.fromkeys(_DOCUMENTS, "0"), **latest(promised, "document")}.items():
            existed = number != "0" or path == ".planning/notes.md"
            content = read_document(folder / "checkout", path)
            if existed or content is not None:
                assert content is not None, f"{path} is gone"
                _check_version(path, content, int(number))
            if int(number) > 1:  # its write, which has come to its end, synced the folder of both
                backup = read_document(folder / "checkout", f"{path}.backup")
                assert backup is not None, f"the backup of {path} is gone"
                _check_version(path, backup, int(number) - 1)
        if once := latest(promised, "once"):
            assert (folder / _ONCE).read_bytes() == _content(_ONCE, int(once[_ONCE]))
        log = read_grown(folder / _LOG) or b""
        assert log.startswith(b"".join(_line(int(n)) for n in latest(promised, "line"))), f"a line is lost: {log!r}"
        blobs = FileBlobs(folder / "blobs", Redactor(()))
        for digest in latest(promised, "blob"):
            blobs.get(digest)
        self._go_on(folder, blobs)

    def _go_on(self, folder: Path, blobs: FileBlobs) -> None:
        for number in range(1, _ROUNDS + 1):
            for size in (10, 9_000):
                assert blobs.get(blobs.keep(f"{number} ".encode() * size))
        for path in _DOCUMENTS:
            write_document(folder / "checkout", path, b"later")


def _content(path: str, number: int) -> bytes:
    return b"%s of round %d\n" % (path.encode(), number) * 200


def _line(number: int) -> bytes:
    return b"row %d\n" % number * 100


def _check_version(path: str, content: bytes, at_least: int) -> None:
    versions = [_content(path, number) for number in range(at_least, _ROUNDS + 1)]
    assert content in versions, f"{path} is neither old nor new: {len(content)} bytes, {content[:40]!r}"
