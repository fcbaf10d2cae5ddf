"""Git commands that can destroy a user's work are nowhere in the product (T4.7)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.tidy.house import SOURCE, modules, named, nodes, parsed, text_files

# covers: T4.7
BANNED = (
    r"\breset\b.*\s--hard\b",
    r"\bclean\b.*\s(-[a-zA-Z]*f|--force)",
    r"\bcheckout\b.*\s(-f\b|--force\b)",
    r"\bpush\b.*\s(-f\b|--force(?!-with-lease)\b)",
    r"\bstash\s(drop|clear)\b",
)


def banned_words(line: str) -> list[str]:
    # One shell command at a time: a word after a pipe or semicolon belongs to another program.
    parts = re.split(r"[|;&]", line)
    return [part.strip() for part in parts if any(re.search(rule, part) for rule in BANNED)]


def argument_lists(tree: ast.AST) -> Iterator[str]:
    """Every list, tuple, concatenation or call of literal words, as the command line it would become."""
    for node in nodes(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Call | ast.BinOp):
            yield " ".join(words(node))


def words(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(word)):
            yield word
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Call(args=parts):
            for part in parts:
                yield from words(part)
        case ast.Starred(value=part):
            yield from words(part)
        case ast.BinOp(left=left, right=right):
            yield from words(left)
            yield from words(right)


# Who may start git without isolation, and on which repository: never the user's checkout, never an agent's clone.
ON_OUR_OWN = {
    "adapters/git/command.py": "a copy of one that exists",
    "adapters/git/isolation.py": "the user's checkout, with a common directory of ours",
    "adapters/git/vault.py": "the vault",
    "adapters/git/workspaces.py": "a clone before any agent has seen it",
    "simulation/conformance/environment.py": "a project made for the conformance test",
}


def test_git_is_started_on_repositories_of_our_own_or_in_isolation() -> None:
    calls = {
        path.relative_to(SOURCE).as_posix()
        for path in modules()
        for node in nodes(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Git"
    }
    assert calls == ON_OUR_OWN.keys(), "use isolated_git of adapters/git/isolation.py, or say whose repository it is"


def test_no_file_of_the_product_names_a_destroying_git_command() -> None:
    found = [
        (named(path), line)
        for path in text_files(SOURCE)
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\bgit\b|--hard|--force|\bstash\b", line) and banned_words(line)
    ]
    assert found == []


def test_no_argument_list_of_the_product_spells_a_destroying_git_command() -> None:
    found = [(named(path), line) for path in modules() for line in argument_lists(parsed(path)) if banned_words(line)]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        'run(["git", "reset", "--hard", commit])',
        'git("reset", "-q", "--hard")',
        'git("clean", "-xdf")',
        'git("checkout", "-f", "main")',
        'args = ["push", "origin"] + ["--force"]',
        'git(*["stash", "drop"])',
        'subprocess.run("git reset --hard HEAD~1", shell=True)',
    ],
)
def test_a_destroying_command_is_found_in_every_spelling(code: str) -> None:
    assert [line for line in argument_lists(ast.parse(code)) if banned_words(line)]


@pytest.mark.parametrize(
    "code",
    [
        'git("push", "--force-with-lease")',
        'git("checkout", "main")',
        'git("reset", "--mixed")',
        'say("clean", "--file")',
    ],
)
def test_a_harmless_command_is_left_alone(code: str) -> None:
    assert not [line for line in argument_lists(ast.parse(code)) if banned_words(line)]
