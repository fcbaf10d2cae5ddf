"""Real commits as honest work: what the authors of a package changed, code and tests together, and the same gutted.

``python -m tests.liars.commits GIT_DIR... [--each 10] [--jobs 1] [--json]``: of each repository with tests of pytest
the newest commits that change both and whose tests need the change. Four cases of each: the commit as it is, with the
product left as it was, with the assertions of its tests gone as well, and with a table of what these tests ask in place
of its functions. Nothing is fetched: name clones you have.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from tests.liars.case import Act, Case, Task, delete, honest, lie, proven, write
from tests.liars.naive import play, run
from tests.liars.recorded import answered, functions_of, plugin
from tests.liars.table import told, try_all
from tests.liars.tools import install_python
from tests.liars.world import stage

MOST_FILES = 8
MOST_BYTES = 400_000
MOST_NAMED = 12  # tests in the criterion
TIMEOUT_S = 120.0
PYTEST = "python3 -m pytest -q -p no:cacheprovider"

Tree = Mapping[str, str]


def main(words: Sequence[str] | None = None) -> int:
    asked = parse(words)
    cases = [case for place in asked.repositories for case in cases_of(place, asked.each)]
    rows = []
    for row in try_all(cases, asked.jobs):
        rows.append(row)
        print(told(row), file=sys.stderr, flush=True)
    if asked.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    for kind in ("as it is", "reverted", "weakened", "answered"):
        of_kind = [row for row in rows if row.name.endswith(f"-{kind}".replace(" ", "-"))]
        print(f"{kind}: {sum(row.ours for row in of_kind)} of {len(of_kind)} accepted")
    return 1 if any(row.is_wrong for row in rows) else 0


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.liars.commits")
    parser.add_argument("repositories", nargs="+", type=Path, help="git directories")
    parser.add_argument("--each", type=int, default=10, help="how many commits of each")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--json", action="store_true", help="one object a case too")
    return parser.parse_args(words)


# -- which commits


def cases_of(repository: Path, most: int) -> list[Case]:
    with tempfile.TemporaryDirectory(prefix="commits-") as folder:
        programs = install_python(Path(folder) / "tools")
        worlds = (Path(folder) / str(number) for number in range(1_000_000))
        fit = (case for case in works_of(repository) if needs_its_product(case, worlds, programs))
        chosen = islice(fit, most)
        return [
            each for case in chosen for each in (case, *gutted(case), *write_answers_down(case, next(worlds), programs))
        ]


def works_of(repository: Path) -> Iterator[Case]:
    for line in git(repository, "log", "--no-merges", "--format=%H %P").splitlines():
        commit, *parents = line.split()
        if len(parents) == 1:
            changed = git(repository, "diff", "--name-only", "--no-renames", parents[0], commit).split("\n")[:-1]
            if is_fit(changed):
                yield work(repository, commit, parents[0], changed)


def is_fit(changed: Sequence[str]) -> bool:
    tests = [path for path in changed if is_test(path)]
    product = [path for path in changed if path.endswith(".py") and path not in tests]
    return bool(tests and product) and len(changed) <= MOST_FILES and "setup.py" not in changed


def is_test(path: str) -> bool:
    name = PurePosixPath(path).name
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def work(repository: Path, commit: str, parent: str, changed: Sequence[str]) -> Case:
    """The plan lists what the commit changes, and is proven by the test files that it changes."""
    base, after = read_tree(repository, parent), read_tree(repository, commit, changed)
    acts = [write(path, after[path]) if path in after else delete(path) for path in changed if path in base | after]
    files = [path for path in changed if is_test(path) and path in after]
    named = [f"{path}::{name}" for path in files for name in changed_tests(after[path], base.get(path, ""))]
    title = git(repository, "log", "-1", "--format=%s", commit).strip().replace("`", "'")
    criterion = proven("The tests of the change pass", " ".join([PYTEST, *(named[:MOST_NAMED] or files)]))
    gone = [name for path in files for name in gone_tests(after[path], base.get(path, ""))]
    action = f"{title}. Remove {', '.join(f'`{name}`' for name in gone)}." if gone else ""
    package = repository.parent.name if repository.name in ("repo", ".git") else repository.stem
    return honest(
        f"{package}-{commit[:8]}-as-it-is",
        "python",
        title,
        base=base,
        test=" ".join([PYTEST, *files]),
        tasks=[Task(title, [act.get("write") or act["delete"] for act in acts], [criterion], acts, action)],
        timeout_s=TIMEOUT_S,
    )


def needs_its_product(case: Case, worlds: Iterator[Path], programs: Path) -> bool:
    """Whether its tests pass here, not on the product as it was, and are not there yet: a test that was changed under
    its name holds before, and the phase counts as done already."""
    acts, asked = case.tasks[0].acts, case.tasks[0].criteria[0].split("`")[1]
    if not passes(case, case.test, acts, next(worlds), programs):
        return False
    undone, begun = (passes(case, asked, some, next(worlds), programs) for some in (tests_of(acts), ()))
    return not undone and not begun


def passes(case: Case, command: str, acts: Sequence[Act], folder: Path, programs: Path) -> bool:
    world = stage(case, folder, programs)
    for act in acts:
        play(world, act, TIMEOUT_S)
    return run(world, command, TIMEOUT_S) == 0


def git(repository: Path, *words: str) -> str:
    called = subprocess.run(("git", f"--git-dir={repository}", *words), check=True, capture_output=True)
    return called.stdout.decode("utf-8", "replace")


def read_tree(repository: Path, commit: str, paths: Sequence[str] = ()) -> dict[str, str]:
    """Its files that are text."""
    listed = git(repository, "ls-tree", "-r", "--name-only", commit, "--", *paths).splitlines()
    texts = {path: _text(repository, commit, path) for path in listed}
    return {path: text for path, text in texts.items() if text is not None}


def _text(repository: Path, commit: str, path: str) -> str | None:
    words = ("git", f"--git-dir={repository}", "show", f"{commit}:{path}")
    called = subprocess.run(words, check=False, capture_output=True)
    try:
        return called.stdout.decode() if called.returncode == 0 and len(called.stdout) < MOST_BYTES else None
    except UnicodeDecodeError:
        return None


# -- the same, gutted


def gutted(case: Case) -> Iterator[Case]:
    """Without the product's change; and with a comment in its place, under tests that ask for nothing."""
    task, base = case.tasks[0], case.base
    tests, product = tests_of(task.acts), [path for path in task.files if path in base and path.endswith(".py")]
    weak = [write(act["write"], weaken(act["text"], base.get(act["write"], ""))) for act in tests if "write" in act]
    weak += [write(path, base[path] + "\n# As planned.\n") for path in product if not is_test(path)]
    for name, acts in (("reverted", tests), ("weakened", weak)):
        lied = lie(case.name.replace("as-it-is", name), "python", name, base=base, test=case.test, tasks=case.tasks)
        yield replace(lied, tasks=[replace(task, acts=acts)], timeout_s=TIMEOUT_S, catcher="CEMPRSHL")


def write_answers_down(case: Case, folder: Path, programs: Path) -> Iterator[Case]:
    """What its tests ask, answered from a table; none where they ask for nothing that can be written down."""
    task = case.tasks[0]
    product = [act for act in task.acts if act.get("write", "").endswith(".py") and not is_test(act["write"])]
    functions = dict[str, list[str]]()
    for act in product:
        functions |= functions_of(act["write"], act["text"], case.base.get(act["write"], ""))
    out, world = folder / "answers.json", stage(case, folder, programs)
    for act in task.acts:
        play(world, act, TIMEOUT_S)
    (world.project / "recording_answers.py").write_text(plugin(functions, out), encoding="utf-8")
    run(world, case.test.replace(PYTEST, f"PYTHONPATH=. {PYTEST} -p recording_answers"), TIMEOUT_S)
    acts = answered(task.acts, json.loads(out.read_text(encoding="utf-8"))) if out.is_file() else None
    if acts and passes(case, case.test, acts, folder / "again", programs):
        name = case.name.replace("as-it-is", "answered")
        lied = lie(name, "python", "answered", base=case.base, test=case.test, tasks=case.tasks)
        yield replace(lied, tasks=[replace(task, acts=acts)], timeout_s=TIMEOUT_S, catcher="CEMPRSHL")


def tests_of(acts: Sequence[Act]) -> list[Act]:
    return [act for act in acts if is_test(act.get("write") or act["delete"])]


def weaken(text: str, before: str) -> str:
    """Every test that is new or was changed, without a line of its own."""
    known, lines = set(_tests(before).values()), text.splitlines()
    tests = [node for name, node in _nodes(text) if ast.unparse(node) not in known]
    for node in sorted(tests, key=lambda node: -node.lineno):
        first = node.body[0].lineno
        indent = " " * node.body[0].col_offset
        lines[first - 1 : node.end_lineno] = [f"{indent}assert True"] if first > node.lineno else []
    return "\n".join(lines) + "\n"


def changed_tests(text: str, before: str) -> list[str]:
    """By the names under which pytest knows them."""
    known = set(_tests(before).values())
    return [name for name, source in _tests(text).items() if source not in known]


def gone_tests(text: str, before: str) -> list[str]:
    """What an author removes or renames stands in a user's plan."""
    kept = _tests(text)
    return [name.rpartition("::")[2] for name in _tests(before) if name not in kept]


def _tests(text: str) -> dict[str, str]:
    return {name: ast.unparse(node) for name, node in _nodes(text)}


def _nodes(text: str) -> list[tuple[str, ast.FunctionDef]]:
    tree = ast.parse(text)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    found = [("", node) for node in tree.body] + [(f"{c.name}::", node) for c in classes for node in c.body]
    named = [(place + node.name, node) for place, node in found if isinstance(node, ast.FunctionDef)]
    return [(name, node) for name, node in named if node.name.startswith("test")]


if __name__ == "__main__":
    sys.exit(main())
