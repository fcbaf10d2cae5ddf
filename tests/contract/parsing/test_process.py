"""A text that crashes, hangs or takes over a native parser could not be parsed: nothing else comes of it.

No text is known that does so. A program that dies, hangs, grows or attacks in the place of the real one, under the same
limits, stands for it.

covers: T1, T3
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.adapters.parsing.process import ParsingProcess, parse_in_another_process
from autopilot.adapters.parsing.program import COMPUTED_S
from autopilot.model.errors import Overdue
from autopilot.text.grammar import Grammar
from autopilot.text.parser import find_parser, parse_elsewhere
from autopilot.text.script_tree import ScriptTree, flat_tree, parse_source
from autopilot.text.shell_tokens import parse_shell, read_shell
from tests.contract.parsing.spoiled import DEEDS

SPOILED = "tests.contract.parsing.spoiled"
SOURCES = {
    Grammar.BASH: b'for x in a b; do echo "$x" | cat; done\n',
    Grammar.GO: b"package a\nfunc f(x int) int { return x + 1 }\n",
    Grammar.RUST: b"fn f(x: u8) -> u8 { x + 1 }\n",
    Grammar.TSX: b"const f = (x) => <b>{x}</b>\n",
    Grammar.TYPESCRIPT: b"const f = (x: number): string => <string>x\n",
}


@pytest.fixture
def parser() -> Iterator[ParsingProcess]:
    made = ParsingProcess()
    yield made
    made.close()


@pytest.fixture
def spoiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[ParsingProcess]:
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join((str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")))
    )
    made = ParsingProcess(SPOILED, patience_s=20)
    yield made
    made.close()


@pytest.mark.parametrize("grammar", SOURCES)
def test_a_source_is_parsed_as_it_is_in_this_process(parser: ParsingProcess, grammar: Grammar) -> None:
    answered = parser.parse_source(SOURCES[grammar], grammar)
    assert isinstance(answered, ScriptTree) and len(answered.parts) > 5
    assert answered == parse_source(SOURCES[grammar], grammar)


@pytest.mark.parametrize("text", ["a && b | (c > d)", "cat - <<END\nü\nEND\n", "echo '\udcff' \u20ac x", ""])
def test_a_shell_text_is_read_as_it_is_in_this_process(parser: ParsingProcess, text: str) -> None:
    written = text.encode("utf-8", "replace")
    assert parser.parse_shell(written) == parse_shell(written)
    here = read_shell.__wrapped__(text)
    with parse_elsewhere(parser):
        assert read_shell.__wrapped__(text) == here


@pytest.mark.parametrize("deed", ["crash", "compute", "wait", "grow", "forge", "flood"])
def test_a_text_that_does_harm_could_not_be_parsed_and_the_next_one_is(spoiled: ParsingProcess, deed: str) -> None:
    spoiled = spoiled if deed != "wait" else ParsingProcess(SPOILED, patience_s=3)
    assert spoiled.parse_source(deed.encode(), Grammar.TSX) is None
    assert spoiled.parse_source(SOURCES[Grammar.TSX], Grammar.TSX) == parse_source(SOURCES[Grammar.TSX], Grammar.TSX)
    spoiled.close()


def test_a_process_that_somebody_ended_is_replaced_and_asked_again(parser: ParsingProcess) -> None:
    whole = parser.parse_shell(b"true")
    child = parser._child
    assert child is not None and whole is not None
    os.kill(child.pid, signal.SIGKILL)
    assert parser.parse_shell(b"true") == whole
    assert parser._child is not child


def test_what_it_computes_counts_for_the_call_that_asks(spoiled: ParsingProcess) -> None:
    """Two texts that it dies of take the call over its limit; the next call finds them known."""
    names = {"__name__": "autopilot.gates.example", "flat_tree": flat_tree, "TSX": Grammar.TSX}
    exec("def judge(texts):\n    return [flat_tree(text, TSX) for text in texts]\n", names)
    texts = [b"crash 1", b"crash 2", b"1"]
    with parse_elsewhere(spoiled):
        assert 2 * COMPUTED_S > 5
        with pytest.raises(Overdue, match=r"gates\.example\.judge computed for over 5 seconds"):
            names["judge"](texts)  # type: ignore[operator]
        answered = names["judge"](texts)  # type: ignore[operator]
    assert [found is None for found in answered] == [True, True, False]


def test_threads_ask_at_once(parser: ParsingProcess) -> None:
    answered = dict[int, object]()

    def ask(number: int) -> None:
        answered[number] = parser.parse_shell(f"echo {number}".encode())

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answered == {number: parse_shell(f"echo {number}".encode()) for number in range(8)}


def test_while_a_command_runs_no_native_parser_is_in_its_process() -> None:
    program = (
        "import sys\n"
        "from autopilot.adapters.parsing.process import parse_in_another_process\n"
        "from autopilot.text.shell_tokens import read_shell\n"
        "with parse_in_another_process():\n"
        "    assert read_shell('true && false').is_valid\n"
        "print(sorted(name for name in sys.modules if name.startswith('tree_sitter')))\n"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_afterwards_this_process_parses_itself_again() -> None:
    with parse_in_another_process():
        assert find_parser() is not None
    assert find_parser() is None


class Decoys:
    """A folder, a process, a listener and a secret that an attack may harm."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.secret = folder / "secret"
        self.secret.write_text("decoy", encoding="utf-8")
        self.process = subprocess.Popen(("sleep", "60"))
        self.listener = socket.create_server(("127.0.0.1", 0))

    @property
    def attack(self) -> str:
        return f"attack {self.folder} {self.process.pid} {self.listener.getsockname()[1]}"

    def harmed(self) -> set[str]:
        self.listener.settimeout(0.5)
        harmed = {path for path in ("written", "started") if (self.folder / path).exists()}
        harmed |= set() if self.secret.exists() else {"removed"}
        try:
            self.process.wait(0.5)
            harmed |= {"killed"}
        except subprocess.TimeoutExpired:
            pass
        try:
            self.listener.accept()[0].close()
            harmed |= {"reached"}
        except TimeoutError:
            pass
        return harmed

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.listener.close()


@pytest.fixture
def decoys(tmp_path: Path) -> Iterator[Decoys]:
    made = Decoys(tmp_path)
    yield made
    made.close()


def test_what_takes_the_parser_over_reaches_nothing(spoiled: ParsingProcess, decoys: Decoys) -> None:
    spoiled.parse_shell(decoys.attack.encode())
    assert decoys.harmed() == set()
    control = (sys.executable, "-m", SPOILED, *decoys.attack.split())
    subprocess.run(control, cwd=Path(__file__).parents[3], check=True)
    assert decoys.harmed() == {"written", "killed", "reached", "started", "removed"}


def test_every_deed_is_tried() -> None:
    assert set(DEEDS) == {b"crash", b"compute", b"wait", b"grow", b"forge", b"flood", b"attack"}
