"""Whether a function seems to do more than to return a value: then its value alone need not be what tests ask for.

By its text, alike in every language: in doubt it does more.
"""

from __future__ import annotations

import re

from autopilot.text.lazy_regex import lazy_regex

# What reaches beyond the function: files, processes, the network, logs, chance and the clock.
_REACHES = lazy_regex(
    r"\b(?:open|input|exec\w*|eval|setattr|delattr|fetch|spawn\w*|createWriteStream)\s*\(|"
    r"\b(?:os(?!\.path\b)|sys|io|subprocess|shutil|socket|sqlite3|logging|logger|log|requests|random|secrets|uuid|time|"
    r"tempfile|threading|asyncio|fs|process|crypto|rand|env|thread|File|Command|net|http|ioutil|exec)\s*(?:\.|::)|"
    r"\b(?:now|today|utcnow|random\w*|urandom|perf_counter|uuid\w*)\s*\(|\bnew\s+Date\s*\(\s*\)|"
    r"\b(?:global|nonlocal|await|unsafe)\b"
)
_PRINTS = lazy_regex(r"\bfmt\.F?[Pp]rint|\be?print(?:ln)?!|\bwrite(?:ln)?!")
# In Go and Rust a near mutant panics where the code does.
_PANICS = lazy_regex(r"\bpanic(?:!|\()|\b(?:todo|unimplemented|unreachable|assert(?:_eq|_ne)?)!")
_NAME = r"(?<![\w.$])([A-Za-z_$][\w$]*)"
_PART = r"(?:\.[\w$]+|\[[^\]\n]{0,200}\])"
_SETS = lazy_regex(rf"{_NAME}{_PART}{{1,8}}\s*(?:[-+*/|&^%@]|<<|>>|\*\*|//|\?\?)?=(?![=>])")
_CHANGES = lazy_regex(
    rf"{_NAME}{_PART}{{0,8}}\.(?:append|extend|insert|add|update|pop\w*|remove|discard|clear|setdefault|sort|reverse|"
    r"write\w*|save|send|put|commit|execute|emit|publish|push\w*|unshift|shift|splice|set|delete|fill|close)\s*\("
)


def has_effects(source: str, *, panics: bool = True) -> bool:
    """``source``: the whole function. What it changes and has made itself is its own affair; ``panics``: so is not that
    it ends its thread."""
    if any(shape.search(source) for shape in (_REACHES, _PRINTS, *((_PANICS,) if panics else ()))):
        return True
    return any(not _is_made_here(found[1], source) for shape in (_SETS, _CHANGES) for found in shape.finditer(source))


def _is_made_here(name: str, source: str) -> bool:
    """Given a value inside: by an assignment, or by a loop."""
    word = re.escape(name)
    assigned = rf"(?<![\w.$]){word}\s*(?::[^=\n]{{0,80}})?:?=(?!=)"
    made = rf"{assigned}|\bfor\b[^\n]{{0,80}}\b{word}\b[^\n]{{0,80}}\b(?:in|of|range)\b"
    return name not in ("self", "this", "cls") and re.search(made, source) is not None
