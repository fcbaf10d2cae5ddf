"""Records what a program and its children do to the files below a folder: strace runs it, calls become operations."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.chaos.power_loss.disk import Disk, File, Folder, Link, read_disk
from tests.chaos.power_loss.operations import (
    Content,
    Move,
    Name,
    Naming,
    Operation,
    Promise,
    Resize,
    Sync,
    SyncAll,
    Unname,
    Write,
    WriteOut,
)
from tests.chaos.power_loss.power_cut import Recording
from tests.chaos.power_loss.promising import PREFIX
from tests.chaos.power_loss.system_calls import Call, parse_calls

# `?` before those that not every processor has.
TRACED = (
    "?open,openat,?creat,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,copy_file_range,sendfile,"
    "fsync,fdatasync,sync,syncfs,sync_file_range,?rename,renameat,renameat2,?link,linkat,?unlink,unlinkat,?rmdir,"
    "?mkdir,mkdirat,?symlink,symlinkat,?readlink,readlinkat,lseek,dup,?dup2,dup3,fcntl,chdir,fchdir,?fork,?vfork,clone,"
    "clone3,mmap"
)
_LONGEST_WRITE = 64 << 20


def record(folder: Path, program: Sequence[str], log: Path) -> Recording:
    """Run the program to its end. What lies below ``folder`` before counts as safe on the disk."""
    before = read_disk(folder)
    options = ("-f", "--seccomp-bpf", "-q", "-y", "-xx", "-s", str(_LONGEST_WRITE), "-o", str(log))
    done = subprocess.run(
        ("strace", *options, "-e", f"trace={TRACED}", "-e", "signal=none", *program),
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    with log.open(encoding="ascii") as lines:
        recording = operations_of(str(folder), before, parse_calls(lines))
    _check(recording, folder)
    return recording


def operations_of(folder: str, before: Disk, calls: Iterable[Call]) -> Recording:
    recorder = Recorder(folder, before)
    for call in calls:
        recorder.take(call)
    return Recording(recorder.empty_disk(), tuple(recorder.operations))


def _check(recording: Recording, folder: Path) -> None:
    """With every operation done, the disk in memory is the real one: then nothing was overlooked."""
    disk = recording.before.copy()
    for operation in recording.operations:
        if isinstance(operation, Naming):
            disk.name(operation)
        elif isinstance(operation, Content):
            disk.fill(operation)
    ours, real = ({path: _look(path, node) for path, node in each.walk()} for each in (disk, read_disk(folder)))
    assert ours == real, sorted(path for path in {*ours, *real} if ours.get(path) != real.get(path))


def _look(path: str, node: File | Folder | Link) -> object:
    if isinstance(node, File):
        return None if is_shared_memory(path) else bytes(node.content)
    return node.target if isinstance(node, Link) else "folder"


def is_shared_memory(path: str) -> bool:
    """Beside a SQLite file: written through memory, of no worth after the death of its writers."""
    return path.endswith("-shm")


class Opened:
    """An open file as the kernel knows it: descriptors that were copied share it."""

    def __init__(self, node: int, appends: bool = False) -> None:
        self.node = node
        self.appends = appends
        self.position = 0


class Process:
    def __init__(self, opened: dict[int, Opened], cwd: str) -> None:
        self.opened = opened
        self.cwd = cwd


class Recorder:
    def __init__(self, folder: str, before: Disk) -> None:
        self.operations: list[Operation] = []
        self._folder = folder
        self._before = before
        self._disk = before.copy()  # as the program sees it
        self._processes: dict[int, Process] = {}

    def empty_disk(self) -> Disk:
        """As it was before, together with every node that was made since, empty and without a name."""
        disk = self._before.copy()
        for number, node in self._disk.nodes.items():
            if number not in disk.nodes:
                disk.nodes[number] = _emptied(node)
        return disk

    def take(self, call: Call) -> None:
        process = self._processes.setdefault(call.process, Process({}, ""))
        for argument in call.arguments:
            if argument.startswith("AT_FDCWD<"):
                process.cwd = call.path_of(call.arguments.index(argument))
        act = _ACTIONS.get(call.name)
        assert act is not None, f"{call.name} is recorded and not understood"
        act(self, process, call)

    # Names

    def open(self, process: Process, call: Call) -> None:
        flags = next((each for each in call.arguments if "O_" in each), "O_CREAT|O_TRUNC")  # none: `creat`
        path = self._below(call.result_path)
        if path is None or "O_TMPFILE" in flags:
            process.opened.pop(call.result, None)
            return
        node = self._disk.find(path)
        if node is None:
            assert "O_CREAT" in flags, path
            node = self._make(path, File(mode=_mode(call.arguments[-1])))
        elif "O_TRUNC" in flags and self._disk.file(node).content:
            self._do(Resize(node, 0))
        process.opened[call.result] = Opened(node, "O_APPEND" in flags)

    def mkdir(self, process: Process, call: Call) -> None:
        path = self._path(process, call, 0 if call.name == "mkdir" else 1)
        if path is not None:
            self._make(path, Folder(_mode(call.arguments[-1])))

    def symlink(self, process: Process, call: Call) -> None:
        path = self._path(process, call, 1 if call.name == "symlink" else 2)
        if path is not None:
            self._make(path, Link(call.text(0)))

    def link(self, process: Process, call: Call) -> None:
        at = call.name == "linkat"
        source = self._path(process, call, 1 if at else 0)
        target = self._path(process, call, 3 if at else 1)
        if target is not None:
            assert source is not None, f"{target} is linked from elsewhere"
            self._do(Name(*self._place(target), self._known(source)))

    def unlink(self, process: Process, call: Call) -> None:
        path = self._path(process, call, 1 if call.name == "unlinkat" else 0)
        if path is not None:
            self._do(Unname(*self._place(path)))

    def rename(self, process: Process, call: Call) -> None:
        at = call.name != "rename"
        source = self._path(process, call, 1 if at else 0)
        target = self._path(process, call, 3 if at else 1)
        assert (source is None) == (target is None), f"{source} becomes {target} across the edge of the folder"
        assert "RENAME_EXCHANGE" not in call.arguments[-1]
        if source is not None and target is not None:
            self._do(Move(*self._place(source), *self._place(target), self._known(source)))

    # Content

    def write(self, process: Process, call: Call) -> None:
        opened = self._opened(process, call, 0)
        if opened is None:
            return
        data = call.data(1)[: call.result]
        assert len(data) == call.result, "strace cut a write short"
        if call.name.startswith("p"):
            self._do(Write(opened.node, call.number(3), data))
        else:
            self._write_on(opened, data)

    def truncate(self, process: Process, call: Call) -> None:
        opened = self._opened(process, call, 0)
        if opened is not None:
            self._do(Resize(opened.node, call.number(1)))

    def allocate(self, process: Process, call: Call) -> None:
        opened = self._opened(process, call, 0)
        if opened is not None and "KEEP_SIZE" not in call.arguments[1]:
            assert call.arguments[1] == "0", call.arguments[1]
            self._do(Resize(opened.node, call.number(2) + call.number(3), only_grow=True))

    def copy(self, process: Process, call: Call) -> None:
        """Only whole files, from the start: nothing here does anything else."""
        sendfile = call.name == "sendfile"
        target = self._opened(process, call, 0 if sendfile else 2)
        if target is not None and call.result:
            source = self._opened(process, call, 1 if sendfile else 0)
            assert source is not None, "copied from outside the folder"
            start = target.position
            self._write_on(target, bytes(self._disk.file(source.node).content[start : start + call.result]))

    def seek(self, process: Process, call: Call) -> None:
        opened = self._opened(process, call, 0)
        if opened is not None:
            opened.position = call.result

    def map(self, process: Process, call: Call) -> None:
        """A file written through memory would escape us."""
        if "MAP_SHARED" in call.arguments[3] and "PROT_WRITE" in call.arguments[2]:
            path = self._below(call.path_of(4))
            assert path is None or is_shared_memory(path), f"{path} is written through memory"

    # Syncs

    def sync(self, process: Process, call: Call) -> None:
        opened = self._opened(process, call, 0)
        if opened is not None:
            self.operations.append(Sync(opened.node, only_content=call.name == "fdatasync"))

    def write_out(self, process: Process, call: Call) -> None:
        opened = self._opened(process, call, 0)
        if opened is not None:
            self.operations.append(WriteOut(opened.node))

    def sync_all(self, process: Process, call: Call) -> None:
        self.operations.append(SyncAll())

    # Processes

    def fork(self, process: Process, call: Call) -> None:
        if not call.result:
            return  # the child's own return
        shares = "CLONE_FILES" in " ".join(call.arguments)
        opened = process.opened if shares else dict(process.opened)
        child = self._processes.get(call.result)
        if child is None:
            self._processes[call.result] = Process(opened, process.cwd)
        elif shares:
            child.opened.update(opened)  # it was quicker than its parent's return
        else:
            child.opened = {**opened, **child.opened}
            child.cwd = child.cwd or process.cwd

    def change_folder(self, process: Process, call: Call) -> None:
        process.cwd = call.path_of(0) if call.name == "fchdir" else str(Path(process.cwd, call.text(0)))

    def duplicate(self, process: Process, call: Call) -> None:
        if call.name == "fcntl" and "F_DUPFD" not in call.arguments[1]:
            return
        opened = process.opened.get(call.number(0))
        process.opened.pop(call.result, None)
        if opened is not None:
            process.opened[call.result] = opened

    def promise(self, process: Process, call: Call) -> None:
        text = call.text(0 if call.name == "readlink" else 1)
        if text.startswith(PREFIX):
            self.operations.append(Promise(text.removeprefix(PREFIX)))

    # Parts of the above

    def _write_on(self, opened: Opened, data: bytes) -> None:
        end = len(self._disk.file(opened.node).content)
        start = end if opened.appends else opened.position
        self._do(Write(opened.node, start, data))
        opened.position = start + len(data)

    def _opened(self, process: Process, call: Call, position: int) -> Opened | None:
        """None for what lies elsewhere. strace tells the path; the kernel's open file tells the node and position."""
        descriptor, path = call.number(position), self._below(call.path_of(position))
        known = process.opened.get(descriptor)
        if path is None:
            return None
        if known is None or (self._disk.find(path) not in (known.node, None)):
            known = process.opened[descriptor] = Opened(self._known(path))  # opened before we looked, or closed since
        return None if is_shared_memory(path) else known

    def _make(self, path: str, node: File | Folder | Link) -> int:
        number = self._disk.add(node)
        self._do(Name(*self._place(path), number))
        return number

    def _do(self, operation: Naming | Content) -> None:
        if isinstance(operation, Naming):
            self._disk.name(operation)
        else:
            self._disk.fill(operation)
        self.operations.append(operation)

    def _path(self, process: Process, call: Call, position: int) -> str | None:
        text = call.text(position)
        base = call.path_of(position - 1) if position and "<" in call.arguments[position - 1] else process.cwd
        assert text.startswith("/") or base, f"{call.name} of {text} in an unknown folder"
        return self._below(self._resolved(os.path.normpath(Path(base, text))))

    def _resolved(self, path: str) -> str:
        """With links among its folders followed, as far as they lie below ours; its last name is left as it is."""
        below = self._below(path)
        parts = below.split("/") if below else []
        for count in range(1, len(parts)):
            node = self._disk.find("/".join(parts[:count]))
            link = self._disk.nodes[node] if node is not None else None
            if isinstance(link, Link):
                start = Path(self._folder, *parts[: count - 1])
                return self._resolved(os.path.normpath(Path(start, link.target, *parts[count:])))
        return path

    def _below(self, path: str) -> str | None:
        if path == self._folder:
            return ""
        return path.removeprefix(f"{self._folder}/") if path.startswith(f"{self._folder}/") else None

    def _place(self, path: str) -> tuple[int, str]:
        folder, _, name = path.rpartition("/")
        return self._known(folder), name

    def _known(self, path: str) -> int:
        node = self._disk.find(path)
        assert node is not None, f"{path} was never made"
        return node


def _emptied(node: File | Folder | Link) -> File | Folder | Link:
    if isinstance(node, File):
        return File(mode=node.mode)
    return Folder(node.mode) if isinstance(node, Folder) else node


def _mode(text: str) -> int:
    return int(text, 8) & ~0o022 if text.startswith("0") else 0o644


_Action = Callable[[Recorder, Process, Call], None]
_ACTIONS: dict[str, _Action] = {
    **dict.fromkeys(("open", "openat", "creat"), Recorder.open),
    **dict.fromkeys(("mkdir", "mkdirat"), Recorder.mkdir),
    **dict.fromkeys(("symlink", "symlinkat"), Recorder.symlink),
    **dict.fromkeys(("link", "linkat"), Recorder.link),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir"), Recorder.unlink),
    **dict.fromkeys(("rename", "renameat", "renameat2"), Recorder.rename),
    **dict.fromkeys(("write", "writev", "pwrite64", "pwritev", "pwritev2"), Recorder.write),
    "ftruncate": Recorder.truncate,
    "fallocate": Recorder.allocate,
    **dict.fromkeys(("copy_file_range", "sendfile"), Recorder.copy),
    "lseek": Recorder.seek,
    "mmap": Recorder.map,
    **dict.fromkeys(("fsync", "fdatasync"), Recorder.sync),
    "sync_file_range": Recorder.write_out,
    **dict.fromkeys(("sync", "syncfs"), Recorder.sync_all),
    **dict.fromkeys(("fork", "vfork", "clone", "clone3"), Recorder.fork),
    **dict.fromkeys(("chdir", "fchdir"), Recorder.change_folder),
    **dict.fromkeys(("dup", "dup2", "dup3", "fcntl"), Recorder.duplicate),
    **dict.fromkeys(("readlink", "readlinkat"), Recorder.promise),
}
