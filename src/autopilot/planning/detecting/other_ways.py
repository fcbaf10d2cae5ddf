"""Ways of ecosystems with one usual tool, by their manifests; and the targets of Makefiles and justfiles."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.policy import CHECKS
from autopilot.planning.detecting.way import Candidate, Way, make_checks


class _Usual(Struct, frozen=True):
    name: str
    manifest: str  # of the root, as a glob
    setup: str = ""
    test: tuple[str, ...] = ()
    compile: tuple[str, ...] = ()
    lint: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    needs: str = ""  # a file or folder that has to be there besides


_USUAL = (
    _Usual("cargo", "Cargo.toml", "cargo fetch", ("cargo test",), ("cargo check --all-targets",), ("cargo clippy",)),
    _Usual("go", "go.mod", "go mod download", ("go test ./...",), ("go build ./...",), ("go vet ./...",)),
    _Usual("gradle", "build.gradle*", "./gradlew testClasses", ("./gradlew test --offline",), needs="gradlew"),
    _Usual("gradle", "build.gradle*", "gradle testClasses", ("gradle test --offline",)),
    _Usual("maven", "pom.xml", "./mvnw -q -B test-compile", ("./mvnw -q -B -o test",), needs="mvnw"),
    _Usual("maven", "pom.xml", "mvn -q -B dependency:go-offline test -DskipTests", ("mvn -q -B -o test",)),
    _Usual("dotnet", "*.sln", "dotnet restore", ("dotnet test --no-restore",), build=("dotnet build --no-restore",)),
    _Usual("dotnet", "*.csproj", "dotnet restore", ("dotnet test --no-restore",), build=("dotnet build --no-restore",)),
    _Usual("bundler", "Gemfile", "bundle install", ("bundle exec rspec",), needs="spec/"),
    _Usual("bundler", "Gemfile", "bundle install", ("bundle exec rake test", "bundle exec rake"), needs="Rakefile"),
    _Usual("ruby", "*.gemspec", "", ("rspec",), needs="spec/"),
    _Usual("ruby", "Rakefile", "", ("rake test", "rake")),
    _Usual("composer", "composer.json", "composer install --no-interaction", ("composer test", "vendor/bin/phpunit")),
    _Usual("mix", "mix.exs", "mix deps.get", ("mix test",), ("mix compile",)),
    _Usual("cmake", "CMakeLists.txt", "", ("cmake -S . -B build && cmake --build build && ctest --test-dir build",)),
)
_SHELL_TEST = re.compile(r"(?:tests?/)?(?:tests?[-_][\w.-]*|[\w.-]*[-_.]tests?|run[-_]?(?:all|tests?)?|all)\.sh\Z")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_TARGETS = {
    "test": ("test", "tests", "check"),
    "lint": ("lint",),
    "build": ("build",),
    "compile": ("compile", "typecheck"),
}


def other_ways(files: Mapping[str, str]) -> tuple[Way, ...]:
    usual = tuple(_way(_for_workspace(usual, files), found) for usual in _USUAL if (found := _manifest(usual, files)))
    return usual or _shell_ways(files)


def _for_workspace(usual: _Usual, files: Mapping[str, str]) -> _Usual:
    """Cargo tests the root alone, where it is a package besides."""
    is_workspace = re.search(r"^\[workspace\]", files.get(usual.manifest, ""), re.MULTILINE)
    return replace(usual, test=("cargo test --workspace", *usual.test)) if is_workspace else usual


def _shell_ways(files: Mapping[str, str]) -> tuple[Way, ...]:
    """A project in shell: bats tests, a script that runs all tests, or every test script after the other."""
    folders = sorted({path.rpartition("/")[0] or "." for path in files if path.endswith(".bats")})
    tests = [Candidate(f"bats {' '.join(map(shlex.quote, folders))}", "*.bats")] if folders else []
    scripts = sorted(path for path in files if _SHELL_TEST.match(path))
    names = {path: path.rpartition("/")[2] for path in scripts}
    runners = [path for path, name in names.items() if name.startswith(("run", "all")) or name.endswith("all.sh")]
    tests += [Candidate(f"bash {shlex.quote(path)}", path) for path in runners]
    if scripts and not runners:
        every = " && ".join(f"bash {shlex.quote(path)}" for path in scripts)
        tests.append(Candidate(every, "the names of its scripts"))
    return (Way("shell", checks=make_checks(test=tests)),) if tests else ()


def target_checks(files: Mapping[str, str]) -> dict[str, tuple[Candidate, ...]]:
    """What its own task runner calls test, lint and so on; the way of the ecosystem installs what they need."""
    found = {check: list[Candidate]() for check in CHECKS}
    for tool, name, targets in _runners(files):
        for check, names in _TARGETS.items():
            found[check] += [Candidate(f"{tool} {target}", name) for target in names if target in targets]
    return make_checks(**found)


def _runners(files: Mapping[str, str]) -> Iterator[tuple[str, str, set[str]]]:
    if name := next((name for name in _MAKEFILES if name in files), ""):
        yield "make", name, set(re.findall(r"^([A-Za-z][\w-]*)[ \t]*:(?!=)", files[name], re.MULTILINE))
    if name := next((name for name in ("justfile", "Justfile", ".justfile") if name in files), ""):
        yield "just", name, set(re.findall(r"^@?([A-Za-z][\w-]*)[^:=\n]{0,200}:(?!=)", files[name], re.MULTILINE))


def _manifest(usual: _Usual, files: Mapping[str, str]) -> str:
    found = next((path for path in sorted(files) if "/" not in path and fnmatchcase(path, usual.manifest)), "")
    has_more = not usual.needs or any(path.startswith(usual.needs) for path in files)
    return found if has_more else ""


def _way(usual: _Usual, manifest: str) -> Way:
    found = {name: [Candidate(command, manifest) for command in getattr(usual, name)] for name in CHECKS}
    return Way(usual.name, Candidate(usual.setup, manifest) if usual.setup else None, make_checks(**found))
