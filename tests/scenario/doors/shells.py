"""Real shells that complete a line: what bash, zsh and fish would offer behind it."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.scenario.kit.looking import PATIENCE_S

BASH = """
source "$1"; shift
complete -p autopilot >/dev/null || exit 1
for line in "$@"; do
    read -ra COMP_WORDS <<<"$line"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _autopilot 2>/dev/null
    printf '%s\\n' "${COMPREPLY[@]}" --end--
done
"""
FISH = """
source $argv[1]
for line in $argv[2..-1]
    complete -C "$line"
    echo --end--
end
"""
STARTED = {"bash": ["bash", "--norc", "--noprofile", "-c", BASH, "bash"], "fish": ["fish", "--no-config", "-c", FISH]}
# Zsh completes in its line editor alone: what is offered there goes into a file as well.
ZSH = """
autoload -Uz compinit && compinit -u -D
source "$SCRIPT"
compadd() {
    builtin compadd "$@"
    [[ ${@[1,(i)(-|--)]} == *-[OAD]\\ * ]] && return
    local -a offered
    builtin compadd -O offered "$@"
    print -rl -- $offered >>$OFFERED
}
capture() { _main_complete; : >$OFFERED.done }
zle -C capture complete-word capture
bindkey '^I' capture
: >$OFFERED.ready
"""


def offered(shell: str, script: Path, lines: Sequence[str], folder: Path) -> list[list[str]]:
    """Behind each of the lines. Where one ends with a space, a new word begins."""
    assert shutil.which(shell), f"{shell} is not installed; run: scripts/setup.sh languages"
    if shell == "zsh":
        return _in_zsh(script, lines, folder)
    argv = [*STARTED[shell], str(script), *lines]
    done = subprocess.run(argv, cwd=folder, env=_environment(folder), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [_candidates(found) for found in done.stdout.split("--end--\n")[:-1]]


def _candidates(text: str) -> list[str]:
    return sorted({found.partition("\t")[0] for found in text.splitlines() if found})


def _environment(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb", "XDG_CACHE_HOME": str(folder)}


def _in_zsh(script: Path, lines: Sequence[str], folder: Path) -> list[list[str]]:
    """One shell for all lines: it takes seconds until it can complete anything."""
    setup, out = script.with_name("setup.zsh"), script.with_name("offered")
    setup.write_text(ZSH)
    ours, theirs = pty.openpty()
    environment = {**_environment(folder), "SCRIPT": str(script), "OFFERED": str(out)}
    argv = ("zsh", "-f", "-i")
    shell = subprocess.Popen(argv, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.set_blocking(ours, False)
    try:
        _type(ours, f"source {setup}\n", script.with_name("offered.ready"))
        return [_complete_in_zsh(ours, line, out) for line in lines]
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def _complete_in_zsh(terminal: int, line: str, out: Path) -> list[str]:
    _type(terminal, f"\x15{line}\t", out.with_name("offered.done"))
    found = sorted(set(out.read_text().split())) if out.exists() else []
    out.unlink(missing_ok=True)
    return found


def _type(terminal: int, text: str, until: Path) -> None:
    """Type at a terminal, and read what it shows until a file says that it has understood."""
    os.write(terminal, text.encode())
    deadline, shown = time.monotonic() + PATIENCE_S, b""
    while not until.exists():
        assert time.monotonic() < deadline, shown.decode(errors="replace")
        try:
            shown += os.read(terminal, 65536)
        except BlockingIOError:
            time.sleep(0.01)
    until.unlink()
