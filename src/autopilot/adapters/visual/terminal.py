"""A program at a pseudo-terminal, as the grid of characters it paints; run inside the sandbox, beside ``inside.py``."""

from __future__ import annotations

import contextlib
import fcntl
import html
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from typing import Any

COLUMNS, ROWS = 80, 24
QUIET_S = 0.4  # without output, it waits for its user
LONGEST_S = 15.0
KEY_S = 0.2
KEYS = {"<enter>": "\r", "<tab>": "\t", "<esc>": "\x1b", "<up>": "\x1b[A", "<down>": "\x1b[B", "<space>": " "}
PALETTE = {
    **{"black": "#3b4048", "red": "#f07178", "green": "#a5d66f", "brown": "#e6c07b", "yellow": "#e6c07b"},
    **{"blue": "#6aaef5", "magenta": "#c792ea", "cyan": "#56c2cf", "white": "#e8edf2"},
}
FRONT, BACK = "d8dee4", "101418"  # as pyte names a colour of the larger palettes
Cell = tuple[str, str, str, bool, bool]  # character, foreground, background, bold, underscored


def show(command: str, keys: str, wait_ms: int) -> tuple[list[list[Cell]], int]:
    """The last screen, and how the program ended; 0 for one that is still there."""
    import pyte

    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(ROWS), "TZ": "UTC"}
    program = subprocess.Popen(
        ["bash", "-c", command], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, env=env
    )
    os.close(theirs)
    try:
        _listen(ours, stream, max(QUIET_S, wait_ms / 1000))
        for key in _split(keys):
            os.write(ours, key.encode())
            _listen(ours, stream, KEY_S)
        status = program.poll() or 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        os.close(ours)
    return [[read_cell(screen.buffer[y][x]) for x in range(COLUMNS)] for y in range(ROWS)], status


def _listen(terminal: int, stream: Any, quiet_s: float) -> None:
    deadline = time.monotonic() + LONGEST_S
    while time.monotonic() < deadline and select.select([terminal], [], [], quiet_s)[0]:
        try:
            stream.feed(os.read(terminal, 65536))
        except OSError:  # the program has ended, and with it the other side
            return


def _split(keys: str) -> list[str]:
    for name, code in KEYS.items():
        keys = keys.replace(name, f"\0{code}\0")
    return [part for part in keys.split("\0") if part]


def read_cell(char: Any) -> Cell:
    """One of pyte's; what is reversed without colours of its own has those of the page, reversed."""
    front, back = char.fg, char.bg
    if char.reverse:
        front, back = (BACK if back == "default" else back), (FRONT if front == "default" else front)
    return char.data, front, back, char.bold, char.underscore


def plain(rows: list[list[Cell]]) -> list[str]:
    return ["".join(cell[0] for cell in row).rstrip() for row in rows]


def render(rows: list[list[Cell]]) -> str:
    """A page that paints it: the same browser takes the picture, and the same code compares it."""
    lines = ("".join(_paint(cell) for cell in row) for row in rows)
    font = "font:14px/18px 'DejaVu Sans Mono',monospace"
    style = f"body{{margin:0;background:#{BACK}}}pre{{margin:8px;{font};color:#{FRONT}}}"
    return f"<!doctype html><html lang=en><title>terminal</title><style>{style}</style><pre>{chr(10).join(lines)}</pre>"


def _paint(cell: Cell) -> str:
    text, front, back, bold, underscored = cell
    shown = html.escape(text)
    styles = [
        f"color:{to_colour(front)}" if front != "default" else "",
        f"background:{to_colour(back)}" if back != "default" else "",
        "font-weight:bold" if bold else "",
        "text-decoration:underline" if underscored else "",
    ]
    style = ";".join(filter(None, styles))
    return f'<span style="{style}">{shown}</span>' if style else shown


def to_colour(name: str) -> str:
    """Of a name that is pyte's and not "default"; a number is a colour of the larger palettes."""
    return PALETTE.get(name.removeprefix("bright"), f"#{name}")
