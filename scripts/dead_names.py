#!/usr/bin/env python3
"""Lists the names of src/autopilot that no other code of src refers to: functions, classes, constants, methods, fields.

    scripts/dead_names.py [FOLDER]    exits with 1 when it finds any, or when an entry of KEPT keeps nothing any more

A name of a module counts as used when its own module reads it, when another module imports it, or when it is reached
through an imported module. A name of a class counts as used when an attribute of that name is read on any object, or
matched: types are not resolved. A reference from inside a dead definition does not count, so a chain of dead code is
found whole. Tests do not count as users: what only tests use is dead unless KEPT gives the reason why it ships.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

PACKAGE = "autopilot"

FAKE = "a fake that ships with the package for tests of others"
CALLED = "called by"
DOCUMENT = "a field of a JSON document that the struct is written to"
# What has no user in src and stays: a pattern of "module:name" or "module:Class.name", and the reason.
KEPT = {
    "autopilot.cli.commands.*:main": "cli/dispatch.py imports the module of a command by name",
    "autopilot.web.command:main": "cli/dispatch.py imports it by name",
    "autopilot.mcp_server.command:main": "cli/dispatch.py imports it by name",
    "autopilot.web.connections:BoundedProtocol.*": f"{CALLED} asyncio",
    "autopilot.adapters.clock:SteppedClock": FAKE,
    "autopilot.adapters.forge.memory:RememberedForge*": FAKE,
    "autopilot.simulation.forges.*": FAKE,
    "autopilot.adapters.journal.memory:MemoryJournal*": FAKE,
    "autopilot.adapters.notify.memory:Remembered*": FAKE,
    "autopilot.adapters.agents.acp.answers:Client.*": f"{CALLED} agent-client-protocol",
    "autopilot.adapters.agents.acp.client:Wire.receive": f"{CALLED} agent-client-protocol",
    "autopilot.adapters.http.one_host:_*": f"{CALLED} urllib and http.client",
    "autopilot.testtools.mutants.slight:_Place.drawn": "sorted by",
    "autopilot.model.step:Step._value_": "read by enum",
    "autopilot.model.journal_word:JournalWord._missing_": f"{CALLED} enum",
    "autopilot.cli.parser:Parser.parse_known_args": f"{CALLED} argparse",
    "autopilot.simulation.model_server.http_exchange:Exchange.*": f"{CALLED} http.server",
    "autopilot.simulation.model_server.server:_Listener.*": f"{CALLED} socketserver",
    "autopilot.model.evidence.example:Answered.*": "made from the word that a held-out program prints",
    "autopilot.model.forge:ForgeKind.GH": "made from the word in the user's settings",
    "autopilot.simulation.model_server.conversation:Wire.CHAT": "made from the path that an agent asks for",
    "autopilot.simulation.model_server.script:Wrong.*": "made from the word in a script of the model server",
    "autopilot.ports.sandbox:*.after_s": "matched by position",
    "autopilot.model.result:PhaseResult.*": DOCUMENT,
    "autopilot.reports.evidence.comparison:Compared.*": DOCUMENT,
    "autopilot.reports.run.batch:*.*": DOCUMENT,
    "autopilot.simulation.model_server.log:Request.*": DOCUMENT,
}

_ATTRIBUTE = re.compile(r"\.([A-Za-z_]\w*)")

Place = tuple[str, str]  # module, name; ("", name) is an attribute of whatever class


@dataclass(frozen=True)
class Definition:
    module: str
    name: str  # "parse_plan" or "Plan.tasks"
    line: int
    place: Place

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"


# From inside which definitions a place is referred to.
Users = dict[Place, set[tuple[Definition, ...]]]


@dataclass
class Module:
    """One file: what it defines, and which places are referred to from where."""

    name: str
    path: Path
    definitions: list[Definition] = field(default_factory=list)
    references: list[tuple[tuple[Definition, ...], Place]] = field(default_factory=list)  # the definitions around it


class _Reader(ast.NodeVisitor):
    def __init__(self, module: Module, modules: frozenset[str]) -> None:
        self.module = module
        self._modules = modules
        self._around: tuple[Definition, ...] = ()
        self._class: ast.ClassDef | None = None
        self._depth = 0  # inside a function nothing is public
        self._aliases: dict[str, str] = {}  # a local name of a module

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.split(".")[0]
            self._aliases[alias.asname or first] = alias.name if alias.asname else first

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = node.module or ""
        for alias in node.names:
            if f"{source}.{alias.name}" in self._modules:
                self._aliases[alias.asname or alias.name] = f"{source}.{alias.name}"
            else:
                self._refer((source, alias.name))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        definition = self._define(node.name, node.lineno)
        inside, self._class, self._depth = self._class, None, self._depth + 1
        self._within(definition, [node.args, *([node.returns] if node.returns else []), *node.body])
        self._class, self._depth = inside, self._depth - 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        definition = self._define(node.name, node.lineno)
        outer, self._class = self._class, node
        self._within(definition, [*node.bases, *node.keywords, *node.decorator_list, *node.body])
        self._class = outer

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        definition = self._define(names[0], node.lineno) if len(names) == 1 and len(node.targets) == 1 else None
        self._within(definition, [node.value, *(target for target in node.targets if not isinstance(target, ast.Name))])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        definition = self._define(node.target.id, node.lineno) if isinstance(node.target, ast.Name) else None
        self._within(definition, [node.annotation, *([node.value] if node.value else [])])

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._refer((self.module.name, node.id))
            if self._class is not None:
                self._refer(("", node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if (module := self._module_of(node.value)) is not None:
            self._refer((module, node.attr))
        elif isinstance(node.ctx, ast.Load):
            self._refer(("", node.attr))
        self.generic_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        for name in node.kwd_attrs:
            self._refer(("", name))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and node.value.isidentifier():
            self._refer(("", node.value))
        elif isinstance(node.value, str) and ":" in node.value:
            module, _, name = node.value.partition(":")
            self._refer((module, name))

    def _module_of(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id)
        if isinstance(node, ast.Attribute) and (outer := self._module_of(node.value)) is not None:
            return f"{outer}.{node.attr}" if f"{outer}.{node.attr}" in self._modules else None
        return None

    def _define(self, name: str, line: int) -> Definition | None:
        if self._depth or (name.startswith("__") and name.endswith("__")):
            return None
        if self._class is None:
            definition = Definition(self.module.name, name, line, (self.module.name, name))
        else:
            definition = Definition(self.module.name, f"{self._class.name}.{name}", line, ("", name))
        self.module.definitions.append(definition)
        return definition

    def _within(self, definition: Definition | None, nodes: Iterable[ast.AST]) -> None:
        before = self._around
        self._around = (*before, definition) if definition else before
        for node in nodes:
            self.visit(node)
        self._around = before

    def _refer(self, place: Place) -> None:
        self.module.references.append((self._around, place))


def read_modules(root: Path) -> list[Module]:
    paths = {module_name(path, root): path for path in sorted(root.rglob("*.py"))}
    modules = []
    for name, path in paths.items():
        module = Module(name, path)
        _Reader(module, frozenset(paths)).visit(ast.parse(path.read_text(encoding="utf-8")))
        modules.append(module)
    return [*modules, *map(read_template, sorted(root.rglob("templates/*.html")))]


def read_template(path: Path) -> Module:
    """What a template prints or asks is used: attributes of whatever it is given."""
    attributes = _ATTRIBUTE.findall(path.read_text(encoding="utf-8"))
    return Module(str(path), path, references=[((), ("", name)) for name in attributes])


def module_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def find_dead(modules: Sequence[Module], kept: Iterable[str]) -> list[Definition]:
    """Round by round: what is dead takes away its own references, and with them what only it used."""
    users: Users = defaultdict(set)
    for module in modules:
        for around, place in module.references:
            users[place].add(around)
    patterns = list(kept)
    suspects = [one for module in modules for one in module.definitions if not _is_kept(one, patterns)]
    dead: set[Definition] = set()
    while found := [one for one in suspects if one not in dead and not _is_used(one, users, dead)]:
        dead.update(found)
    return sorted(dead, key=lambda one: (one.module, one.line))


def _is_kept(definition: Definition, patterns: Iterable[str]) -> bool:
    return any(fnmatch(str(definition), pattern) for pattern in patterns)


def _is_used(definition: Definition, users: Users, dead: set[Definition]) -> bool:
    return any(definition not in around and dead.isdisjoint(around) for around in users[definition.place])


def find_stale(modules: Sequence[Module], kept: Iterable[str]) -> list[str]:
    """Entries of KEPT without which nothing more would be dead."""
    dead = find_dead(modules, ())
    return [pattern for pattern in kept if not any(_is_kept(one, [pattern]) for one in dead)]


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).parent.parent / "src" / PACKAGE
    modules = read_modules(root)
    found, stale = find_dead(modules, KEPT), find_stale(modules, KEPT)
    paths = {module.name: module.path for module in modules}
    for definition in found:
        print(f"{paths[definition.module]}:{definition.line}: nothing in src uses {definition.name}")
    for pattern in stale:
        print(f"KEPT in {__file__}: {pattern} keeps nothing")
    return 1 if found or stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
