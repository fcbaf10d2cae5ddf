"""The arguments of a ``go test`` call: which are flags of its own, which of them set something and which select."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# Flags that take a word: what follows one of them is no package.
# fmt: off
_WITH_WORD = frozenset({
    "C", "asmflags", "bench", "benchtime", "blockprofile", "blockprofilerate", "buildmode", "compiler", "count",
    "covermode", "coverpkg", "coverprofile", "cpu", "cpuprofile", "exec", "fuzz", "fuzzminimizetime", "fuzztime",
    "gccgoflags", "gcflags", "installsuffix", "ldflags", "list", "memprofile", "memprofilerate", "mod", "modfile",
    "mutexprofile", "mutexprofilefraction", "o", "outputdir", "overlay", "p", "parallel", "pkgdir", "run", "shuffle",
    "skip", "tags", "timeout", "toolexec", "trace", "vet",
})
# fmt: on
_SELECTS = frozenset({"run", "skip", "bench", "fuzz", "list", "short"})


def own_flags(call: Sequence[str]) -> list[str]:
    """The names of the flags before ``-args``, behind which the arguments are the test program's."""
    return [_name(word) for word in _own(call) if word.startswith("-")]


def settings(call: Sequence[str]) -> Iterator[str]:
    """The flags that do not choose tests, with their values; no package."""
    rest = iter(_own(call))
    for word in rest:
        if not word.startswith("-"):
            continue
        name = _name(word)
        value = [next(rest, "")] if name in _WITH_WORD and "=" not in word else []
        if name not in _SELECTS:
            yield from (word, *value)


def _own(call: Sequence[str]) -> Sequence[str]:
    ends = [place for place, word in enumerate(call) if word in {"-args", "--args"}]
    return call[2 : ends[0]] if ends else call[2:]


def _name(flag: str) -> str:
    return flag.lstrip("-").partition("=")[0].removeprefix("test.")
