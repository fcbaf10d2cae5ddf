"""Named commands of a project: targets of a Makefile or justfile, scripts of package.json and composer.json."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping

from autopilot.inspection.control.names import split_names
from autopilot.text.lazy_regex import lazy_regex

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")  # the first that is there is read
JUSTFILES = ("justfile", ".justfile", "Justfile")
_RULE = lazy_regex(r"^(@?[^\s:#=][^:=#]*+)::?(?!=)(?P<rest>[^\n]*)$")
_VARIABLE = lazy_regex(r"^(?:export\s+|override\s+)*([\w.-]+)\s*(?:[:?+!]|::|:::)?=\s*(.*)$")
# What changes how every recipe is run, or what the tools it calls find around them.
_SPECIAL = lazy_regex(
    r"^(?:-?include\b|sinclude\b|import\b|set\b|\.(?:IGNORE|ONESHELL|SHELLFLAGS|DEFAULT_GOAL|RECIPEPREFIX|DEFAULT)\b|"
    r"(?:export\s+|override\s+)*(?:SHELL|MAKEFLAGS|GNUMAKEFLAGS|PATH|LD_PRELOAD|BASH_ENV|GOFLAGS|RUSTFLAGS|RUBYOPT|"
    r"PERL5OPT|JAVA_TOOL_OPTIONS|MAVEN_OPTS|PYTEST\w*|PYTHON\w*|NODE_\w+|CARGO\w*|\w*TEST\w*)\s*[:?+]?=)"
)
_USED = lazy_regex(r"\$[({]([\w.-]+)[)}]|\{\{\s*([\w-]+)\s*\}\}")
JUDGING = lazy_regex(
    r"(?:pre|post)?(?:(?!docker|image).*[:_.-])?(?:tests?|check|lint|type-?checks?|types|tsc|verify|ci|specs?|cov|"
    r"cover(?:age)?|build|compile|validate|e2e|unit|integration|vitest|jest|mocha|pytest|mypy|ruff|eslint|quality|all)"
    r"(?:[:_.-].*)?|default|qa|t",
    re.IGNORECASE | re.DOTALL,
)
# npm runs these by itself when dependencies are installed.
_LIFECYCLE = split_names("preinstall install postinstall prepare")
# Named for people to call: no check goes through them unless a script that does names them.
FOR_PEOPLE = lazy_regex(
    r"(?:.*[:_.-])?(?:run|start|serve|dev|develop|watch|clean|deploy|docs?|help|release|publish|up|down|logs|shell|"
    r"migrate|seed|demo|preview|storybook|format|fmt|fix|version)(?:[:_.-].*)?",
    re.IGNORECASE | re.DOTALL,
)


def recipes(name: str, text: str) -> Mapping[str, str] | None:
    """The text of every named command, by its name; None where the file has none or cannot be read."""
    if name in MAKEFILES or name.endswith(".mk") or name in JUSTFILES:
        return _targets(text)
    return scripts_of(text) if name in {"package.json", "composer.json"} else None


def scripts_of(text: str) -> Mapping[str, str] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    scripts = data.get("scripts") if isinstance(data, dict) else None
    if not isinstance(scripts, dict):
        return {} if isinstance(data, dict) else None
    # Composer lets a script be a list; each stands on its own line, as in a recipe.
    spelled = {name: value if isinstance(value, list) else [value] for name, value in scripts.items()}
    return {name: "\n".join(str(line) for line in lines) for name, lines in spelled.items()}


def judging(commands: Mapping[str, str], lifecycle: bool = False) -> dict[str, str]:
    """Those that tests, lint, types or the build go by, and all they call by name."""
    wanted = [name for name in commands if JUDGING.fullmatch(name) or (lifecycle and name in _LIFECYCLE)]
    return reached(commands, wanted)


def reached(commands: Mapping[str, str], wanted: Collection[str]) -> dict[str, str]:
    seen: dict[str, str] = {}
    queue = [name for name in wanted if name in commands]
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen[name] = commands[name]
        tokens = re.split(r"[\s:;&|()\"'@]+", commands[name])
        queue += [other for other in tokens if other in commands]
        queue += [hook for hook in (f"pre{name}", f"post{name}") if hook in commands]
    return seen


def make_part(text: str) -> str:
    """What of a Makefile steers checks: their targets, the variables these use, and what holds for every recipe."""
    targets = judging(_targets(text))
    lines = [line for line in _joined(text) if _SPECIAL.match(line)]
    variables = _variables(text)
    used: dict[str, str] = {}
    queue = ["\n".join(targets.values())]
    while queue:
        for found in _USED.finditer(queue.pop()):
            name = found[1] or found[2]
            if name in variables and name not in used:
                used[name] = variables[name]
                queue.append(variables[name])
    parts = [f"{name}:{body}" for name, body in sorted(targets.items())]
    parts += [f"{name}={value}" for name, value in sorted(used.items())]
    return "\n".join([*lines, *parts])


def _targets(text: str) -> dict[str, str]:
    """Of each target its prerequisites and its recipe, without comments."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in _joined(text):
        if line[:1] in {"\t", " "} and line.strip():
            for name in names:
                found[name] += f"\n{line.strip()}"
        elif line.strip() and not line.startswith("#"):
            rule = None if _VARIABLE.match(line) else _RULE.match(line)
            names = list(_names(rule[1])) if rule else []
            for name in names:
                found[name] = found.get(name, "") + (rule["rest"].strip() if rule else "")
    return found


def _names(head: str) -> Iterator[str]:
    """A justfile's ``test filter='':`` has parameters after its name, a Makefile's ``a b:`` two targets."""
    tokens = head.lstrip("@").split()
    yield from tokens[:1] if any("=" in word or word[:1] in "*+$" for word in tokens[1:]) else tokens


def _variables(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _joined(text):
        if match := _VARIABLE.match(line):
            found[match[1]] = found.get(match[1], "") + "\n" + match[2].strip()
    return found


def _joined(text: str) -> list[str]:
    return re.sub(r"\\\r?\n[ \t]*", " ", text).splitlines()
