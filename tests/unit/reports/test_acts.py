"""What an agent did, by its transcript: files read and written, commands run. OBSV-01"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.model.agent import Act
from autopilot.reports.acts import LONGEST, MOST, list_acts

# covers: OBSV-01
RECORDED = Path(__file__).parent.parent / "agents" / "transcripts"


def line(**event: object) -> str:
    return json.dumps(event)


def tool(name: str, **given: object) -> str:
    return line(type="assistant", message={"content": [{"type": "tool_use", "name": name, "input": given}]})


def acp(kind: str, *paths: str) -> str:
    places = [{"path": path} for path in paths]
    return line(type="update", update={"sessionUpdate": "tool_call_update", "kind": kind, "locations": places})


@pytest.mark.parametrize(
    ("printed", "acts"),
    [
        (tool("Read", file_path="/p/a.py"), [("file_read", "a.py")]),
        (tool("Edit", file_path="/p/a.py", old_string="x"), [("file_write", "a.py")]),
        (tool("NotebookEdit", notebook_path="/p/n.ipynb"), [("file_write", "n.ipynb")]),
        (tool("Bash", command="cd /p/src &&\n make"), [("command_run", "cd src && make")]),
        (tool("WebFetch", url="x"), []),
        (acp("read", "/p/a.py"), [("file_read", "a.py")]),
        (acp("edit", "/p/a.py", "/p/b.py"), [("file_write", "a.py"), ("file_write", "b.py")]),
        (acp("think", "/p/a.py"), []),
        (line(type="action", kind="write", what="a.py"), [("file_write", "a.py")]),
        (line(type="action", kind="run", what="make"), [("command_run", "make")]),
        (line(type="action", kind="git", what=["add"]), []),
        ('{"type":"assistant","message":{"content":[7,null,{"type":"tool_use"}]}}', []),
        ("{not json", []),
        ("[" * 5000, []),
    ],
)
def test_an_act_is_known_by_the_form_of_its_agent(printed: str, acts: list[tuple[str, str]]) -> None:
    assert list_acts(printed, "/p") == tuple(Act(*act) for act in acts)


def test_recorded_transcripts_of_real_agents_tell_what_they_wrote() -> None:
    files = sorted(RECORDED.rglob("*.jsonl"))
    found = {path.parent.name: set[str]() for path in files}
    for path in files:
        found[path.parent.name] |= {
            act.action for act in list_acts(path.read_text(encoding="utf-8"), "/home/you/project")
        }
    assert "file_write" in found["acp"] and "file_write" in found["codex"] and "command_run" in found["claude"]


def test_each_act_is_told_once_and_a_long_call_is_cut_off() -> None:
    many = "\n".join(tool("Read", file_path=f"/p/{n}.py") for n in range(2 * MOST))
    assert list_acts(f"{many}\n{many}", "/p")[:2] == (Act("file_read", "0.py"), Act("file_read", "1.py"))
    assert len(list_acts(many, "/p")) == MOST
    assert len(list_acts(tool("Bash", command="x" * 1000), "/p")[0].subject) == LONGEST
