"""What of a diff touches what the work is judged by: mixed files, scripts behind commands, shadows. covers: T8.S"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from autopilot.inspection.control.changes import control_changes, scripts_behind, steering_part
from autopilot.model.evidence.control import ControlChange, ControlKind, Meaning
from autopilot.model.git import Change

FILE, LINK = "100644", "120000"
MAKE = """\
PY = python3
PORT = 80

test: deps
\t$(PY) -m pytest

deps:
\tpip install -r r.txt

run:
\tserve $(PORT)
"""
PACKAGE = {
    "name": "shelf",
    "scripts": {"test": "npm run unit && eslint .", "unit": "node --test", "start": "node ."},
    "devDependencies": {"jest": "^29.0.0", "left-pad": "1"},
    "jest": {"bail": 1},
}
RUST = """
pub fn add(a: [u8; 2]) -> u8 { a[0] + a[1] }
#[cfg(test)]
mod tests {
    use super::*;
    fn two() -> u8 { 2 }
    #[test]
    fn adds() { assert_eq!(add([1, 1]), two()); let brace = "}"; }
}
"""


def changed(
    before: Mapping[str, str], after: Mapping[str, str], behind: tuple[str, ...] = (), mode: str = FILE
) -> tuple[ControlChange, ...]:
    changes = []
    for path in sorted({*before, *after}):
        status = "A" if path not in before else "D" if path not in after else "M"
        old, new = ("000000" if status == "A" else FILE), ("000000" if status == "D" else mode)
        if status != "M" or before[path] != after[path] or old != new:
            changes.append(Change(path, status, old, new))
    return control_changes(changes, before.get, after.get, behind)


def package(**keys: object) -> str:
    return json.dumps({**PACKAGE, **keys})


def scripts(**more: str) -> str:
    return package(scripts={**PACKAGE["scripts"], **more})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'", "[tool.pytest.ini_options]\naddopts = '--co'"),
        ("pyproject.toml", "", "[tool.ruff]\nselect = []"),
        ("pyproject.toml", "", "[tool.mypy]\nignore_errors = true"),
        ("pyproject.toml", "", "[project.entry-points.pytest11]\nx = 'x'"),
        ("pyproject.toml", "", "[project]\ndependencies = ['pytest @ file:///fake']"),
        ("pyproject.toml", "", "[tool.uv.sources]\npytest = {path = 'fake'}"),
        ("pyproject.toml", "", "[tool.poetry.group.dev.dependencies]\npytest = {path = 'fake'}"),
        ("pyproject.toml", "[tool.coverage.run]\nbranch = true", "[project]\nname = 'x'"),
        ("pyproject.toml", "[project]\nname = 'x'", "[project\nname"),
        ("setup.cfg", "[tool:pytest]\naddopts = -q", "[tool:pytest]\naddopts = -q --deselect a"),
        ("setup.cfg", "[metadata]\nname = x", "[metadata]\nname = x\n[flake8]\nexclude = ."),
        ("setup.py", "setup()", "setup(\n  entry_points={'pytest11': ['x = x']})"),
        ("requirements-dev.txt", "pytest\n", "./fake_pytest\n"),
        ("requirements.txt", "a\n", "-f ./wheels\na\n"),
        ("package.json", package(), scripts(test="true")),
        ("package.json", package(), scripts(unit="node --test || true")),
        ("package.json", package(), scripts(pretest="node cheat.js")),
        ("package.json", package(), scripts(postinstall="node cheat.js")),
        ("package.json", package(), package(jest={"testPathIgnorePatterns": ["."]})),
        ("package.json", package(), package(devDependencies={"jest": "file:./fake"})),
        ("package.json", package(), package(overrides={"jest": "npm:fake@1"})),
        ("package.json", package(imports={"#same": "./test/same.js"}), package(imports={"#same": "./same.js"})),
        ("package.json", package(imports={"#a": {"node": "./test/a.js"}}), package()),
        ("package.json", package(), package() + "}"),
        ("composer.json", '{"scripts": {"test": ["phpunit"]}}', '{"scripts": {"test": ["@php -v"]}}'),
        ("Cargo.toml", "[package]\nname = 'x'", "[package]\nname = 'x'\nautotests = false"),
        ("Cargo.toml", "", "[lib]\ntest = false"),
        ("Cargo.toml", "", "[[test]]\nname = 'a'\nharness = false"),
        ("Cargo.toml", "", "[lints.rust]\nunused = 'allow'"),
        ("go.mod", "module x\n", "module x\nreplace (\n\ta => ./fake\n)\n"),
        ("Makefile", MAKE, MAKE.replace("-m pytest", "-m pytest || true")),
        ("Makefile", MAKE, MAKE.replace("pip install", "-pip install")),
        ("Makefile", MAKE, MAKE.replace("PY = python3", "PY = true")),
        ("Makefile", MAKE, f"SHELL = /bin/true\n{MAKE}"),
        ("Makefile", MAKE, f"{MAKE}\n.IGNORE:\n"),
        ("justfile", "test:\n    pytest\n", "test:\n    -pytest\n"),
        ("vite.config.ts", "export default {plugins: []}", "export default {\n  test: {\n    include: []\n  }\n}"),
        ("pom.xml", "<project/>", "<project><plugin><artifactId>maven-surefire-plugin</artifactId></plugin></project>"),
        ("pom.xml", "<project/>", "<project><skipTests>true</skipTests></project>"),
        ("build.gradle.kts", "plugins {}\n", "plugins {}\ntasks.test {\n  ignoreFailures = true\n}\n"),
        ("CMakeLists.txt", "add_test(NAME a COMMAND a)\n", "project(x)\n"),
        (".gitattributes", "* text=auto\n", "* text=auto\ntests/ export-ignore\n"),
        ("angular.json", '{"projects": {"a": {"architect": {"test": {"x": 1}}}}}', '{"projects": {}}'),
        ("bunfig.toml", "", "[test]\npreload = 'x'"),
        ("deno.json", "{}", '{"tasks": {"test": "true"}}'),
    ],
)
def test_a_mixed_file_counts_where_the_part_that_steers_differs(path: str, before: str, after: str) -> None:
    assert steering_part(path, before) != steering_part(path, after)
    assert changed({path: before}, {path: after}) == (ControlChange(path, ControlKind.RUNNER, "M"),)
    (kind,) = {one.kind for one in changed({f"app/{path}": before}, {f"app/{path}": after})}
    assert kind is ControlKind.RUNNER, "in a package further down too"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", "[project]\nname = 'x'", "[project]\nname = 'x'\ndependencies = ['rich', 'pytest>=8']"),
        (
            "pyproject.toml",
            "[tool.ruff]\nline-length = 99",
            "# lines\n[tool.ruff]\nline-length=99\n[tool.shelf]\na = 1",
        ),
        ("pyproject.toml", "", "[project.scripts]\nshelf = 'shelf:main'"),
        ("setup.cfg", "[metadata]\nname = x", "[metadata]\nname = y\n[options]\npackages = find:"),
        ("setup.py", "setup()", "setup(name='x')"),
        ("requirements.txt", "a\n-e .\n", "a\nb==1\n-e .\npytest\n"),
        ("package.json", package(), scripts(start="node server.js", dev="vite")),
        ("package.json", package(), package(dependencies={"express": "^4"}, version="2.0.0")),
        ("package.json", package(), package(imports={"#lib/*": "./src/*.js"})),
        ("package.json", package(), package(devDependencies={"jest": "^29.1.0", "left-pad": "file:x"})),
        ("Cargo.toml", "[dependencies]", "[dependencies]\nserde = '1'\n[dev-dependencies]\nproptest = '1'"),
        ("go.mod", "module x\n", "module x\nrequire a v1.0.0\n"),
        ("Makefile", MAKE, f"{MAKE}\nserve: deps\n\tserve 8080\n"),
        ("Makefile", MAKE, MAKE.replace("PORT = 80", "PORT = 81")),
        ("vite.config.ts", "export default {\n  test: {a: 1}\n}", "export default {\n  base: '/x',\n  test: {a: 1}\n}"),
        ("pom.xml", "<project/>", "<project><dependency><artifactId>guava</artifactId></dependency></project>"),
        ("build.gradle", "test {\n useJUnitPlatform()\n}\n", "apply x\ntest {\n useJUnitPlatform()\n}\n"),
        ("CMakeLists.txt", "add_test(NAME a COMMAND a)\n", "project(x)\nadd_test(NAME a COMMAND a)\n"),
        (".gitattributes", "* text=auto\n", "* text=auto\n*.png binary\n"),
    ],
)
def test_the_rest_of_a_mixed_file_is_the_products(path: str, before: str, after: str) -> None:
    assert steering_part(path, before) == steering_part(path, after)
    assert changed({path: before}, {path: after}) == ()


def test_only_mixed_files_have_a_steering_part() -> None:
    assert steering_part("src/a.py", "x") is None
    assert steering_part("tests/test_a.py", "x") is None


def test_a_mixed_file_that_comes_or_goes_counts_by_what_it_steers() -> None:
    (came,) = changed({}, {"package.json": package()})
    (gone,) = changed({"package.json": package()}, {})
    assert (came.status, gone.status) == ("A", "D")
    assert changed({}, {"package.json": '{"name": "x"}'}) == ()


def test_a_file_that_is_moved_is_gone_here_and_new_there() -> None:
    found = changed({"tests/test_a.py": "x"}, {"tests/old/test_a.py": "x"})
    assert [(one.path, one.status) for one in found] == [("tests/old/test_a.py", "A"), ("tests/test_a.py", "D")]


def test_other_line_endings_are_said_to_be_just_that() -> None:
    (found,) = changed({"tests/test_a.py": "a\nb\n"}, {"tests/test_a.py": "a\r\nb\r\n"})
    assert found.endings_only
    (real,) = changed({"tests/test_a.py": "a\nb\n"}, {"tests/test_a.py": "a\r\nc\r\n"})
    assert not real.endings_only


def test_a_mode_alone_is_no_change_and_a_link_is_one() -> None:
    assert changed({"tests/test_a.py": "a"}, {"tests/test_a.py": "a"}, mode="100755") == ()
    (found,) = changed({}, {"tests/test_a.py": "../x"}, mode=LINK)
    assert found.kind is ControlKind.SUPPORT


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pytest.py", ""),
        ("unittest/__init__.py", ""),
        ("src/pytest.py", ""),
        ("json.py", ""),
        ("tests/json.py", ""),
        ("tests/shelf.py", "def add(): return 2"),
        ("tests/__init__.py", "import os"),
        ("pkg/main_test.go", "package pkg\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n"),
        ("lib/minitest/autorun.rb", ""),
        ("test/minitest/quiet_plugin.rb", ""),
        ("test/package.json", '{"imports": {"#same": "./quiet.js"}}'),
    ],
)
def test_what_would_stand_in_for_the_tool_or_the_product_is_setup(path: str, text: str) -> None:
    (found,) = changed({"shelf.py": "x"}, {"shelf.py": "x", path: text})
    assert (found.path, found.kind, found.status) == (path, ControlKind.SUPPORT, "A")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pkg/json.py", ""),
        ("src/queue.py", ""),
        ("test/__init__.py", ""),
        ("tests/__init__.py", '"""Tests."""\n'),
        ("tests/unit/__init__.py", ""),
        ("shelf/__init__.py", "from shelf.a import b"),
        ("books.py", ""),
        ("mock.py", ""),
        ("src/expect.py", ""),
    ],
)
def test_a_module_that_shadows_nothing_is_the_products(path: str, text: str) -> None:
    assert changed({}, {path: text}) == ()


def test_the_products_own_module_of_such_a_name_may_change() -> None:
    assert changed({"calendar.py": "a"}, {"calendar.py": "b"}) == ()


@pytest.mark.parametrize(
    "after",
    [
        RUST.replace("assert_eq!(add([1, 1]), two())", "assert!(true)"),
        RUST.replace("    #[test]\n", "    #[test]\n    #[ignore]\n"),
        RUST.replace("#[cfg(test)]", '#[cfg(all(test, feature = "never"))]'),
        RUST.replace("{ 2 }", "{ add([1, 1]) }"),
        "pub fn add() {}",
        RUST.replace("#[cfg(test)]\nmod tests {", "/*").replace('"}"; }\n}', "*/"),
    ],
)
def test_a_test_inside_rust_sources_that_is_gone_or_weakened_counts(after: str) -> None:
    (found,) = changed({"src/lib.rs": RUST}, {"src/lib.rs": after})
    assert (found.kind, found.inline) == (ControlKind.TEST, True)


@pytest.mark.parametrize(
    "after",
    [
        RUST.replace("a[0] + a[1]", "a.iter().sum()"),
        RUST.replace("    fn two", "    #[test]\n    fn more() { assert!(add([0, 0]) == 0); }\n    fn two"),
        RUST.replace("use super::*;", "use super::*;\n    use std::fmt;"),
        RUST.replace("    fn adds() {", "    fn adds()\n    {"),
    ],
)
def test_product_code_and_more_tests_beside_rust_tests_are_free(after: str) -> None:
    assert changed({"src/lib.rs": RUST}, {"src/lib.rs": after}) == ()


def test_a_rust_test_module_kept_in_another_file_must_stay_named() -> None:
    (found,) = changed({"src/lib.rs": "#[cfg(test)]\nmod tests;\n"}, {"src/lib.rs": "\n"})
    assert found.inline


@pytest.mark.parametrize(
    ("command", "files", "behind"),
    [
        ("sh check.sh", {}, ["check.sh"]),
        ("bash -eu scripts/test.sh --fast", {}, ["scripts/test.sh"]),
        ("python tools/run_tests.py", {}, ["tools/run_tests.py"]),
        ("./run", {"run": "#!/bin/sh\npytest -q\n"}, ["run"]),
        ("./run test", {"run": "#!/bin/sh\nnode server.js\n"}, []),
        ("python app.py --help", {"app.py": "print(1)"}, []),
        ("node index.js | grep 3", {"index.js": "x"}, []),
        ("bash install.sh", {"install.sh": "cp a b"}, []),
        ("bash install.sh", {}, []),
        ("python go.py", {"go.py": "import pytest; pytest.main()"}, ["go.py"]),
        ("python -m tools.check", {"tools/check.py": "run('mypy')"}, ["tools/check.py"]),
        ("python -m pytest -q tests", {}, []),
        ("make test", {"Makefile": MAKE}, ["GNUmakefile", "makefile", "Makefile"]),
        ("make -C app test", {}, ["app/GNUmakefile", "app/makefile", "app/Makefile"]),
        ("make -f build.mk check", {}, ["build.mk"]),
        ("npm test", {"package.json": '{"scripts": {"test": "sh ci/test.sh"}}'}, ["package.json", "ci/test.sh"]),
        ("npm run unit", {"package.json": scripts(unit="node run-tests.mjs")}, ["package.json", "run-tests.mjs"]),
        ("cd web && yarn lint", {}, ["web/package.json"]),
        ("npm --prefix web test", {}, ["web/package.json"]),
        ("npm ci", {}, []),
        ("composer test", {}, ["composer.json"]),
        ("timeout 60 env A=1 bash ./test.sh 2>&1 | tail -3", {}, ["test.sh"]),
        ("timeout -k 5 60 bash test.sh 3", {}, ["test.sh"]),
        ("poetry run python run_tests.py", {}, ["run_tests.py"]),
        ("nice -n 5 sh check.sh", {}, ["check.sh"]),
        ("uv run --with requests --group test sh check.sh", {}, ["check.sh"]),
        ("cross-env CI=1 c8 --reporter text node run-tests.mjs", {}, ["run-tests.mjs"]),
        ("if ! sudo sh check.sh; then exit 1; fi", {}, ["check.sh"]),
        ("bash -c 'cd app && sh test.sh'", {}, ["app/test.sh"]),
        ("tox -e py", {}, ["tox.ini"]),
        ("grep -q x check.sh", {}, []),
        ("just test", {"justfile": "test:\n    bash check.sh\n"}, ["justfile", ".justfile", "Justfile", "check.sh"]),
        ("", {}, []),
        ("sh 'unclosed", {}, []),
    ],
)
def test_a_test_command_resolves_through_files(command: str, files: dict[str, str], behind: list[str]) -> None:
    assert list(scripts_behind([command], files.get)) == behind


def test_scripts_are_followed_to_what_they_call() -> None:
    files = {
        "check.sh": 'cd "$HOME"\n. "$(dirname "$0")/scripts/lint.sh"\nmake test\n',
        "scripts/lint.sh": "ruff check .",
        "Makefile": "test:\n\t@bash scripts/test.sh\n",
        "scripts/test.sh": "bash check.sh",  # back to where it began: followed once
    }
    found = scripts_behind(["sh check.sh"], files.get)
    assert {"check.sh", "scripts/lint.sh", "scripts/test.sh"} <= set(found)


def test_a_script_behind_a_command_counts_whole_and_a_makefile_by_its_old_targets() -> None:
    assert changed({"go.py": "a"}, {"go.py": "b"}) == ()
    (script,) = changed({"go.py": "a"}, {"go.py": "b"}, ("go.py",))
    assert script.kind is ControlKind.SCRIPT
    odd = MAKE + "\nproof:\n\tpytest tests/proof\n"
    (target,) = changed({"Makefile": odd}, {"Makefile": odd.replace("pytest tests", "true tests")}, ("Makefile",))
    assert target.kind is ControlKind.RUNNER
    assert changed({"Makefile": odd}, {"Makefile": f"{odd}\nmore:\n\techo\n"}, ("Makefile",)) == ()


def test_a_makefile_that_would_be_read_first_counts() -> None:
    (found,) = changed({"Makefile": MAKE}, {"Makefile": MAKE, "GNUmakefile": "test:\n\ttrue\n"})
    assert (found.path, found.status) == ("GNUmakefile", "A")


@pytest.mark.parametrize("text", ["{" * 30_000, "[" * 30_000, "a:\n" * 30_000, "#[cfg(test)] mod a {" * 3_000])
@pytest.mark.parametrize(
    "path", ["package.json", "pyproject.toml", "Makefile", "build.gradle", "src/lib.rs", "vite.config.ts"]
)
def test_odd_text_is_read_to_the_end(path: str, text: str) -> None:
    assert isinstance(changed({path: ""}, {path: text}), tuple)


def test_a_test_file_that_stands_elsewhere_is_known_by_its_tests() -> None:
    text, more = "def test_a():\n    assert 1\n", "def test_a():\n    assert (1)\n\n\ndef test_b():\n    assert 2\n"
    gone, come = changed({"tests/test_a.py": text}, {"tests/unit/test_a.py": more})
    assert (gone.status, gone.moved_to, gone.meaning) == ("D", "tests/unit/test_a.py", Meaning.ADDS)
    assert (come.status, come.moved_to) == ("A", "")
    (gone, _) = changed({"tests/test_a.py": text}, {"tests/unit/test_a.py": "def test_a():\n    assert 2\n"})
    assert (gone.moved_to, gone.meaning) == ("", Meaning.OTHER)
    (gone, *_) = changed({"tests/test_a.py": text}, {"tests/checks/a.py": text})
    assert (gone.moved_to, gone.meaning) == ("", Meaning.OTHER)
