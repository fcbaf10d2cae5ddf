"""The arguments of a ``cargo test`` call: which set something, which choose packages, programs and tests."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.text.commands.wrappers import program

_RUNS_NOTHING = frozenset({"--no-run", "--list", "--help", "-h", "--message-format=json"})
# fmt: off
_WITH_WORD = frozenset({
    "-p", "--package", "--exclude", "-F", "--features", "-j", "--jobs", "--profile", "--target", "--target-dir",
    "--manifest-path", "--message-format", "--color", "--config", "-Z", "--bin", "--example", "--test", "--bench",
    "--lockfile-path", "-C",
})
# fmt: on
_CHOOSES = frozenset(
    {
        "--lib",
        "--bins",
        "--bin",
        "--examples",
        "--example",
        "--tests",
        "--test",
        "--benches",
        "--bench",
        "--all-targets",
    }
)
_CHOOSES |= {"--doc", "--no-fail-fast"}


class CargoArguments(Struct, frozen=True):
    options: tuple[tuple[str, ...], ...]  # each with its value, before the ``--``
    rest: tuple[str, ...]  # arguments that are no options: cargo's own command and a filter
    packages: frozenset[str]


def runs_tests(call: Sequence[str]) -> bool:
    """``cargo test``, or its short name, and not only a build or a list of it."""
    if not call or program(call[0]) != "cargo" or _RUNS_NOTHING.intersection(call):
        return False
    return split_arguments(call).rest[:1] in {("test",), ("t",)}


def settings(call: Sequence[str]) -> list[str]:
    """The call without its choice of programs and tests. A package stays: it says where a program is looked for."""
    arguments = split_arguments(call)
    kept = [word for option in arguments.options if option[0].partition("=")[0] not in _CHOOSES for word in option]
    toolchain = [word for word in call[1:2] if word.startswith("+")]
    return [call[0], *toolchain, "test", *kept]


def split_arguments(call: Sequence[str]) -> CargoArguments:
    options, rest, packages = list[tuple[str, ...]](), list[str](), set[str]()
    arguments = iter(word for word in call[1:] if not word.startswith("+"))
    for word in arguments:
        if word == "--":
            break
        if not word.startswith("-"):
            rest.append(word)
            continue
        option = (word, next(arguments, "")) if word in _WITH_WORD else (word,)
        options.append(option)
        name, _, value = word.partition("=")
        if name in {"-p", "--package"}:
            packages.add(value or option[-1])
    return CargoArguments(tuple(options), tuple(rest), frozenset(packages))
