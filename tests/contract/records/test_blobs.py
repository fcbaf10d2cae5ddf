"""Bulk text is stored once, redacted, and checked when it comes back. covers: T7 R-SECRET"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autopilot.adapters.blobs import FileBlobs
from autopilot.model.errors import RecordBroken, Unavailable
from autopilot.model.secrecy.redaction import Redactor

# covers: T7.blobs

LONG = b"a line of output\n" * 1000
SHORT = b"ok\n"


@pytest.fixture
def blobs(tmp_path: Path) -> FileBlobs:
    return FileBlobs(tmp_path / "blobs", Redactor({"MY_TOKEN": "hunter2-hunter2"}))


def files(tmp_path: Path) -> list[Path]:
    return sorted(path for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize("content", [SHORT, LONG, b"", b"\xff\xfe not utf-8"])
def test_what_was_put_comes_back_under_the_digest_of_what_is_stored(blobs: FileBlobs, content: bytes) -> None:
    digest = blobs.put(content)
    assert digest == hashlib.sha256(content).hexdigest()
    assert blobs.get(digest) == content


def test_the_same_content_is_one_file_for_its_owner_alone(blobs: FileBlobs, tmp_path: Path) -> None:
    assert blobs.put(LONG) == blobs.put(LONG)
    [file] = files(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.stat().st_size < len(LONG) // 2


@pytest.mark.parametrize("padding", [b"", LONG])
def test_no_secret_reaches_the_disk(blobs: FileBlobs, tmp_path: Path, padding: bytes) -> None:
    digest = blobs.put(padding + b"\x1b[1mthe key is hunter2-hunter2\x1b[0m")
    assert blobs.get(digest) == padding + b"the key is [redacted:MY_TOKEN]"
    assert not any(b"hunter2" in file.read_bytes() for file in files(tmp_path))


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=300))
def test_storing_what_was_read_back_changes_nothing(blobs: FileBlobs, text: str) -> None:
    digest = blobs.put(text.encode("utf-8", "surrogatepass"))
    assert blobs.put(blobs.get(digest)) == digest


@pytest.mark.parametrize("content", [SHORT, LONG])
@pytest.mark.parametrize("damage", [lambda old: old + b"x", lambda old: b"", lambda old: b"\x00" + old[1:]])
def test_an_altered_blob_is_broken(blobs: FileBlobs, tmp_path: Path, content: bytes, damage: object) -> None:
    digest = blobs.put(content)
    [file] = files(tmp_path)
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    with pytest.raises(RecordBroken, match="altered") as caught:
        blobs.get(digest)
    assert caught.value.hint


@pytest.mark.parametrize("digest", ["0" * 64, "", "../../etc/passwd", "0" * 63 + "/", "/etc/passwd", "A" * 64])
def test_a_missing_blob_or_a_name_that_is_none_is_broken(blobs: FileBlobs, digest: str) -> None:
    with pytest.raises(RecordBroken):
        blobs.get(digest)


def test_a_place_that_is_no_folder_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file")
    with pytest.raises(Unavailable):
        FileBlobs(tmp_path / "blobs", Redactor()).put(SHORT)


def test_no_draft_is_left_behind(blobs: FileBlobs, tmp_path: Path) -> None:
    for number in range(5):
        blobs.put(os.urandom(50).hex().encode() + b"%d" % number)
    assert not [file for file in files(tmp_path) if file.name.startswith(".")]
