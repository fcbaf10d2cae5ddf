"""Python is started in one way outside of the sandbox: one that imports nothing from the folder it stands in."""

from __future__ import annotations

import ast

from tests.tidy.house import SOURCE, modules, named, nodes, parsed, with_any

# covers: T1
# Who names the interpreter, and what for.
NAMED = {
    "adapters/own_module.py": "the one way",
    "adapters/agents/acp/dialect.py": "inside the sandbox",
    "simulation/forges/glab.py": "a `glab` that tests start, and no run",
    "simulation/scripted/agent.py": "inside the sandbox",
}


def test_the_interpreter_is_named_by_the_one_who_starts_it_safely() -> None:
    found = {
        named(path)
        for path in with_any(("executable",), modules())
        for node in nodes(parsed(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.executable"
    }
    assert found == {named(SOURCE / path) for path in NAMED}
