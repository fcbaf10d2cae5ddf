"""Other builds of a project: tags, features and modes of its code that a plain run of the tests leaves out."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

MOST = 3

# Systems, processors and what Go's own tools set: no build of these can be asked for here, or it is the plain one.
# fmt: off
_KNOWN_TAGS = frozenset({
    "aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
    "openbsd", "plan9", "solaris", "wasip1", "windows", "zos", "unix", "386", "amd64", "amd64p32", "arm", "arm64",
    "arm64be", "armbe", "loong64", "mips", "mips64", "mips64le", "mips64p32", "mips64p32le", "mipsle", "ppc", "ppc64",
    "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm", "cgo", "gc", "gccgo", "race", "msan",
    "asan", "ignore", "tools", "generate", "gofuzz", "gofuzzbeta", "boringcrypto", "purego", "appengine",
})
# fmt: on
_CONSTRAINT = re.compile(r"^//go:build ([^\n]{1,400})$", re.MULTILINE)
_TAG = re.compile(r"(?<![\w.])[A-Za-z_][\w.]{0,80}")
_RELEASE = re.compile(r"go1(?:\.\d+)?")
_FEATURE = re.compile(r'\bfeature\s*=\s*"([\w./+-]{1,80})"')
_MODE = re.compile(r"\bNODE_ENV\b")
# What tests of these need is often not here: a service, a device, a network.
_ELSEWHERE = re.compile(
    r"integration|e2e|end.?to.?end|acceptance|live|online|net(?:work)?|docker|db|database|slow|bench\w*|manual|gpu|"
    r"hardware|external|nightly|unstable|smoke|fuzz\w*|k8s|cloud",
    re.IGNORECASE,
)


class BuildKind(StrEnum):
    TAG = "build tag"
    FEATURE = "feature"
    MODE = "NODE_ENV"


class Build(Struct, frozen=True):
    kind: BuildKind
    name: str

    @property
    def described(self) -> str:
        return f"{self.kind.value} {self.name}"

    @property
    def is_same_product(self) -> bool:
        """Whether the same tests have to hold in it: a mode may rightly change what is said, and some builds are for
        tests that need what is not here."""
        return self.kind is not BuildKind.MODE and not _ELSEWHERE.fullmatch(self.name)


def other_builds(texts: Mapping[str, str], added: Mapping[str, Sequence[str]]) -> tuple[Build, ...]:
    """``texts``: changed files of the product, whole; ``added``: their new lines."""
    found: dict[Build, None] = {}
    for path, text in sorted(texts.items()):
        found |= dict.fromkeys(_builds(path, text, "\n".join(added.get(path, ()))))
    return tuple(found)[:MOST]


def _builds(path: str, text: str, new: str) -> Iterator[Build]:
    if path.endswith(".go"):
        constraint = _CONSTRAINT.search(f"\n{text}".partition("\npackage ")[0])
        for tag in _TAG.findall(constraint[1]) if constraint else ():
            if tag not in _KNOWN_TAGS and not _RELEASE.fullmatch(tag):
                yield Build(BuildKind.TAG, tag)
    elif path.endswith(".rs"):
        yield from (Build(BuildKind.FEATURE, name) for name in _FEATURE.findall(new))
    elif path.endswith((".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")) and _MODE.search(new):
        yield Build(BuildKind.MODE, "production")


# Behind its own folder on the search path stands the real one.
_CARGO = """#!/bin/sh
PATH=${PATH#*:}
put=
for word; do
  shift
  set -- "$@" "$word"
  case $put$word in test|t) put=1; set -- "$@" --features "NAME" ;; esac
done
exec cargo "$@"
"""


def spell_in_build(command: str, build: Build) -> str:
    match build.kind:
        case BuildKind.TAG:
            return f'export GOFLAGS="${{GOFLAGS:-}} -tags={build.name}"\n{command}'
        case BuildKind.MODE:
            return f"export NODE_ENV={build.name}\n{command}"
        case BuildKind.FEATURE:
            program = base64.b64encode(_CARGO.replace("NAME", build.name).encode()).decode()
            lines = (
                "build=$(mktemp -d)",
                f"base64 -d <<< {program} > $build/cargo",
                "chmod +x $build/cargo",
                'export PATH="$build:$PATH"',
            )
            return "\n".join((*lines, command))
