"""Prompts are files beside the steps; every placeholder must be filled, and nothing else may be."""

from __future__ import annotations

from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent.parent / "prompts"


def render_prompt(name: str, /, **values: str) -> str:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    template = Template(text)
    unused = values.keys() - set(template.get_identifiers())
    assert not unused, f"prompt {name} has no place for {sorted(unused)}"
    return template.substitute(values)


def placeholders(name: str) -> set[str]:
    """What a prompt has places for."""
    return set(Template((FOLDER / f"{name}.md").read_text(encoding="utf-8")).get_identifiers())


def bullets(lines: tuple[str, ...] | list[str], none: str = "none") -> str:
    return "\n".join(f"- {line}" for line in lines) if lines else none
