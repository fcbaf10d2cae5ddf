"""Python by its own parser, for texts that are Python and that the grammar of the map cannot read."""

from __future__ import annotations

import ast
import warnings

from autopilot.model.repomap.facts import Call, Class, Export, ExportKind, FileFacts, Function, Import
from autopilot.repomap.calls import UNKNOWN


def read_python(text: bytes, lines: int) -> FileFacts | None:
    """None when it is no Python of the version that runs this."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    reader = _Reader()
    try:
        reader.visit(tree)
    except RecursionError:
        return None
    return FileFacts(
        "python",
        lines,
        tuple(reader.exports),
        tuple(reader.imports),
        tuple(reader.functions),
        tuple(reader.classes),
        tuple(Call(name, receiver, *found) for (name, receiver, _), found in reader.calls.items()),
    )


class _Reader:
    def __init__(self) -> None:
        self.exports: list[Export] = []
        self.imports: list[Import] = []
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.calls: dict[tuple[str, str, int], tuple[str, int, int]] = {}  # within, first line, count
        self._around: list[tuple[str, bool]] = []
        self._scope = 0  # the definition around, by its number: several can have one name
        self._scopes = 0

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._function(node)
        else:
            self._statement(node)
            for child in ast.iter_child_nodes(node):
                self.visit(child)

    def _statement(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            self._import(node)
        elif isinstance(node, ast.ImportFrom):
            self._import_from(node)
        elif isinstance(node, ast.Call):
            self._called(node)
        elif isinstance(node, ast.Assign):
            self._assigned(node)

    @property
    def _owner(self) -> str:
        return ".".join(name for name, _ in self._around)

    def _class(self, node: ast.ClassDef) -> None:
        methods = tuple(item.name for item in _inside(node) if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
        bases = tuple(ast.unparse(base) for base in node.bases)
        self.classes.append(Class(node.name, "class", bases, methods, node.lineno, node.end_lineno or 0, self._owner))
        self._define(node, ExportKind.CLASS, is_class=True)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        params = _params(node.args)
        returns = ast.unparse(node.returns) if node.returns else ""
        is_method = bool(self._around) and self._around[-1][1]
        end = node.end_lineno or 0
        self.functions.append(Function(node.name, params, returns, node.lineno, end, self._owner, is_method))
        self._define(node, ExportKind.FUNCTION, is_class=False)

    def _define(
        self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, kind: ExportKind, *, is_class: bool
    ) -> None:
        if not self._around and not node.name.startswith("_"):
            self.exports.append(Export(node.name, kind, node.lineno))
        for decorator in node.decorator_list:
            self.visit(decorator)
        around = self._scope
        self._scopes += 1
        self._scope = self._scopes
        self._around.append((node.name, is_class))
        for child in ast.iter_child_nodes(node):
            if child not in node.decorator_list:
                self.visit(child)
        self._around.pop()
        self._scope = around

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.imports.append(Import(alias.name, ("*",), (alias.asname or alias.name,), node.lineno))

    def _import_from(self, node: ast.ImportFrom) -> None:
        source = "." * node.level + (node.module or "")
        if node.names[0].name == "*":
            self.imports.append(Import(source, ("*",), (), node.lineno))
            return
        names = tuple(alias.name for alias in node.names)
        self.imports.append(
            Import(source, names, tuple(alias.asname or alias.name for alias in node.names), node.lineno)
        )

    def _called(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Name):
            self._call("", function.id, function.end_lineno or 0)
        elif isinstance(function, ast.Attribute):
            self._call(_dotted(function.value), function.attr, function.end_lineno or 0)

    def _call(self, receiver: str, name: str, line: int) -> None:
        key = (name, receiver, self._scope)
        within, first, count = self.calls.get(key, (self._owner, line, 0))
        self.calls[key] = (within, first, count + 1)

    def _assigned(self, node: ast.Assign) -> None:
        for target in node.targets:
            if not self._around and isinstance(target, ast.Name) and not target.id.startswith("_"):
                self.exports.append(Export(target.id, ExportKind.CONST, node.lineno))


def _inside(node: ast.ClassDef) -> list[ast.stmt]:
    """The statements of a class, those under its conditions too."""
    pending, found = list(reversed(node.body)), []
    while pending:
        item = pending.pop()
        found.append(item)
        if not isinstance(item, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            pending += reversed([child for child in ast.iter_child_nodes(item) if isinstance(child, ast.stmt)])
    return found


def _params(arguments: ast.arguments) -> tuple[str, ...]:
    return tuple(part for part in ast.unparse(arguments).split(", ") if part)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value)) != UNKNOWN:
        return f"{before}.{node.attr}"
    return UNKNOWN
