"""Figures about the house: how large, how flat, how stringly, how repetitive; what the smallest run and the tests cost.

    python scripts/measure.py                    this checkout
    python scripts/measure.py --root OTHER       another one, such as a worktree of an earlier commit
    python scripts/measure.py --json             for a program
    python scripts/measure.py --durations FILE   with the minutes per test folder of a run that was started with
                                                 AUTOPILOT_DURATIONS=FILE

Everything is counted in the sources but two figures of the smallest run, which is made: its cost, by
bench/git_processes.py, and the files in which it held a criterion, by bench/criterion_way.py. "files a criterion
passes" counts every file that names one.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Fields that by their name hold one of a few words.
STATUS = re.compile(
    r"(?:^|_)(?:status|state|verdict|outcome|category|kind|band|source|ending|result|step|severity|layer|mode|type"
    r"|form|flag|action|decision|route|role)$"
)
# Fields whose words others choose, so that no type of ours can list them: counted apart.
WORDS_OF_OTHERS = {
    "another program": "_Pull.state Found.kind Part.kind _Piece.kind Event.action Case.kind _Exception.kind Tool.kind"
    " OtherRun.status OtherPhase.status AuditRow.verdict _Problem.kind",
    "a grammar or a browser": "Piece.kind Class.kind Request.kind",
    # A gate refuses what is none of its words; an agent's reply must be readable for that.
    "an agent": "PlanIssue.severity CriterionReading.status RequirementAudit.status CauseClaim.kind Cause.kind",
    # Settings and plans: what is none of our words is answered with a message that says where and which are.
    "a user": "AgentConfig.kind ForgeConfig.kind Task.type Task.action ProgressRow.status Position.status",
    "another version, in state.json": "OpenRequest.kind",
}
LARGE_STRUCT = 30  # fields
LARGE_FOLDER = 25  # files
LONG_FUNCTION = 40  # lines
MANY_PARAMETERS = 6
_MISSING = "no script counts it here"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], metavar="OTHER")
    parser.add_argument("--durations", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {**measure(options.root), **ask_others(options.root.resolve())}
    if options.durations is not None:
        seconds = Counter(json.loads(options.durations.read_text(encoding="utf-8"))["folders"])
        minutes = {folder: round(spent / 60, 1) for folder, spent in seconds.most_common()}
        figures["minutes per test folder, all workers together"] = minutes
    sys.stdout.write(json.dumps(figures, indent=2) + "\n" if options.json else render(figures))


def measure(root: Path) -> dict[str, Any]:
    source = root / "src" / "autopilot"
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(source.rglob("*.py"))}
    functions = [node for tree in trees.values() for node in _functions(tree)]
    folders = {**_folders(source, root), **_folders(root / "tests", root)}
    lines = {path.relative_to(root).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in trees}
    structs = dict(_structs(trees))
    statuses = _string_statuses(trees, structs)
    return {
        "files": len(trees),
        "lines": sum(lines.values()),
        "fields of the largest structs": dict(Counter({n: len(f) for n, f in structs.items()}).most_common(8)),
        f"structs over {LARGE_STRUCT} fields": sum(len(fields) > LARGE_STRUCT for fields in structs.values()),
        "string-typed statuses": sum(not _is_of_others(name) for name in statuses),
        "string-typed statuses whose words others choose": sum(map(_is_of_others, statuses)),
        f"folders over {LARGE_FOLDER} Python files": {n: c for n, c in folders.items() if c > LARGE_FOLDER},
        "file names used twice in one room": _doubled(source),
        f"functions over {LONG_FUNCTION} lines": sum(_length(f) > LONG_FUNCTION for f in functions),
        f"functions over {MANY_PARAMETERS} parameters": sum(_parameters(f) > MANY_PARAMETERS for f in functions),
        "longest files": dict(Counter(lines).most_common(5)),
    }


def ask_others(root: Path) -> dict[str, str | int]:
    """What has a script of its own, asked of ``root``; an earlier commit may not have it."""
    dead = _run(root, "scripts/dead_names.py")
    path = _run(root, "scripts/criterion_path.py")
    way = _run(root, "bench/criterion_way.py")
    cost = _run(root, "bench/git_processes.py")
    return {
        "dead names": _MISSING if dead is None else sum("nothing in src uses" in line for line in dead),
        "files a criterion passes": _value(path, "files a criterion passes"),
        "files that held a criterion in the smallest run": _value(way, "files that held a criterion on its way"),
        "git processes of the smallest run": _value(cost, "P-GIT (processes)"),
        "CPU seconds of the smallest run": _value(cost, "P-GIT (cpu)"),
    }


def _run(root: Path, script: str) -> list[str] | None:
    """The lines it prints, with the sources of ``root``; None where there is no such script."""
    if not (root / script).exists():
        return None
    own = {**os.environ, "PYTHONPATH": str(root / "src")}
    ran = subprocess.run((sys.executable, script), cwd=root, env=own, check=False, stdout=subprocess.PIPE, text=True)
    if ran.returncode and not ran.stdout:  # status 1 alone may mean that it found something, and says so
        sys.exit(f"{script} failed with exit status {ran.returncode}; what it printed stands above")
    return ran.stdout.splitlines()


def _value(lines: list[str] | None, name: str) -> str:
    found = [line.partition(": ")[2] for line in lines or () if line.startswith(f"{name}: ")]
    return found[-1] if found else _MISSING


def render(figures: dict[str, Any]) -> str:
    out = []
    for name, value in figures.items():
        if isinstance(value, dict):
            out.append(f"{name}: {len(value)}")
            out += [f"    {count:>4}  {what}" for what, count in value.items()]
        else:
            out.append(f"{name}: {value}")
    return "\n".join(out) + "\n"


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def _structs(trees: dict[Path, ast.Module]) -> Iterator[tuple[str, dict[str, str]]]:
    """Every struct with its fields and their annotations. Two of one name are told apart by their module."""
    seen: set[str] = set()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any("Struct" in ast.unparse(base) for base in node.bases):
                fields = {
                    line.target.id: ast.unparse(line.annotation)
                    for line in node.body
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
                }
                name = f"{node.name} ({path.stem})" if node.name in seen else node.name
                seen.add(node.name)
                yield name, fields


def _string_statuses(trees: dict[Path, ast.Module], structs: dict[str, dict[str, str]]) -> list[str]:
    """Fields of type ``str`` that some code compares with a literal word: a closed set of words without a type."""
    compared = {name for tree in trees.values() for node in ast.walk(tree) for name in _compared_with_a_word(node)}
    found = [(struct, field) for struct, fields in structs.items() for field, type_ in fields.items() if type_ == "str"]
    return [f"{struct}.{field}" for struct, field in found if field in compared and STATUS.search(field)]


def _is_of_others(name: str) -> bool:
    """``name`` may hold a module in brackets, where two structs have one name."""
    return re.sub(r" \(\w+\)", "", name) in " ".join(WORDS_OF_OTHERS.values()).split()


def _compared_with_a_word(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Compare):
        return
    sides = (node.left, *node.comparators)
    if any(_is_word(side) for side in sides):
        yield from (side.attr for side in sides if isinstance(side, ast.Attribute))


def _is_word(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple | ast.Set | ast.List):
        return bool(node.elts) and all(_is_word(each) for each in node.elts)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""


def _folders(below: Path, root: Path) -> dict[str, int]:
    counted = Counter(path.parent.relative_to(root).as_posix() for path in below.rglob("*.py"))
    return dict(counted.most_common())


def _doubled(source: Path) -> dict[str, int]:
    names: dict[str, int] = defaultdict(int)
    for path in source.rglob("*.py"):
        if path.stem not in ("__init__", "__main__"):
            names[f"{path.relative_to(source).parts[0]}: {path.name}"] += 1
    return {name: count for name, count in sorted(names.items()) if count > 1}


if __name__ == "__main__":
    main()
