"""Which files a criterion passes on its way from ROADMAP.md to VERIFICATION.md, counted in the code and not in prose.

    python scripts/criterion_path.py                    this checkout
    python scripts/criterion_path.py --root OTHER       another one, such as a worktree of an earlier commit

A file is on the way when its code does one of these:

- type: it imports ``Criterion``, ``Form`` or ``Kind``;
- collects: it reads ``.criteria``, fills a field ``criteria``, or defines or calls a function named for criteria;
- identity: it defines or uses a rule by which two mentions of a criterion are known as the same.

That is more than its way in one run: edits of a roadmap, gaps and lint name criteria too. Which files held one while a
run went from ROADMAP.md to VERIFICATION.md: bench/criterion_way.py.

Scripted agents, adapters and issue mode are left out: the first stand outside of the product, the second know no plans,
the third has acceptance criteria of its own.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

TYPES = {"Criterion", "Form", "Kind"}
OWNER = "model.planning.criterion"
# The names of every such rule there was or is; a fold of events is none.
IDENTITY = {"identity", "is_named_by", "fold_words", "_fold_space", "fold", "_fold", "same", "_core"}
LEFT_OUT = {"simulation", "issue", "adapters"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], metavar="OTHER")
    source = parser.parse_args().root / "src" / "autopilot"
    paths = [path for path in sorted(source.rglob("*.py")) if not LEFT_OUT & set(path.relative_to(source).parts)]
    found = {path: set(_signs(ast.parse(path.read_text(encoding="utf-8")))) for path in paths}
    on_the_way = {path.relative_to(source): signs for path, signs in found.items() if signs}
    for path, signs in on_the_way.items():
        sys.stdout.write(f"{path}: {', '.join(sorted(signs))}\n")
    for sign in ("type", "collects", "identity"):
        sys.stdout.write(f"{sign}: {sum(sign in signs for signs in on_the_way.values())}\n")
    inside = sum(bool({"type", "identity"} & signs) for signs in on_the_way.values())
    sys.stdout.write(f"files that know what a criterion is made of (type or identity): {inside}\n")
    sys.stdout.write(f"files a criterion passes: {len(on_the_way)}\n")


def _signs(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                imported = {each.name for each in names}
                if module.endswith(OWNER) and imported & TYPES:
                    yield "type"
                if imported & IDENTITY and not module.startswith("autopilot.events"):
                    yield "identity"
            case ast.Attribute(value=ast.Name(id="known"), attr="criteria"):
                pass  # a mark for how well a phase is described
            case ast.Attribute(attr="criteria"):
                yield "collects"
            case ast.Attribute(attr="identity" | "is_named_by"):
                yield "identity"
            case ast.FunctionDef(name=name):
                if name in IDENTITY and "text.split" in ast.unparse(node):
                    yield "identity"
                if _is_about_criteria(name):
                    yield "collects"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                fills = name[:1].isupper() or name == "replace"  # the words of a prompt are no criteria any more
                if _is_about_criteria(name) or (fills and any(each.arg == "criteria" for each in node.keywords)):
                    yield "collects"


def _is_about_criteria(function: str) -> bool:
    return "criteri" in function.casefold() and not function.startswith("Criterion")


if __name__ == "__main__":
    main()
