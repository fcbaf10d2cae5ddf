"""What Python projects say they need for their tests, and the order in which it is tried. covers: INV-7"""

from __future__ import annotations

import pytest

from autopilot.planning.detecting.python_needs import find_needs
from autopilot.planning.detecting.python_ways import python_ways

PROJECT = '[project]\nname = "a"\n'


@pytest.mark.parametrize(
    ("files", "extras", "requirements", "packages"),
    [
        ({"setup.py": "setup(tests_require=['pytest', 'mock>=2'])"}, (), (), ("pytest", "mock>=2")),
        (
            {"pyproject.toml": f'{PROJECT}[project.optional-dependencies]\ntest = ["pytest"]\ndocs = ["sphinx"]\n'},
            ("test",),
            (),
            ("pytest",),
        ),
        (
            {
                "pyproject.toml": f"{PROJECT}[dependency-groups]\n"
                'dev = [{include-group = "test"}, "ruff"]\ntest = ["pytest>=8"]\ndocs = ["mkdocs"]\n'
            },
            (),
            (),
            ("pytest>=8", "ruff"),  # ruff is declared; the rest of dev is for other things
        ),
        (
            {"pyproject.toml": '[tool.poetry]\nname = "a"\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\n'},
            (),
            (),
            ("pytest",),
        ),
        (
            {"pyproject.toml": '[tool.hatch.envs.default]\ndependencies = ["pytest", "hypothesis"]\n'},
            (),
            (),
            ("pytest", "hypothesis"),
        ),
        ({"pyproject.toml": '[tool.pdm.dev-dependencies]\ntest = ["pytest"]\n'}, (), (), ("pytest",)),
        (
            {
                "setup.py": "",
                "tox.ini": "[testenv]\ndeps =\n    pytest\n    py27: mock\n    -r more.txt\n[testenv:docs]\ndeps = x\n",
            },
            (),
            (),
            ("pytest", "mock"),
        ),
        (
            {
                "setup.py": "",
                "noxfile.py": '@nox.session\ndef a(session):\n    session.install(".", "pytest", "black")\n'
                '@nox.session\ndef docs(session):\n    session.install("pyenchant")\n    session.run("make")\n',
            },
            (),
            (),
            ("pytest",),
        ),
        (
            {
                "setup.py": "",
                ".github/workflows/ci.yml": "    - run: pip install -r a.txt pytest-cov nox\n    - run: pytest\n",
            },
            (),
            (),
            ("pytest-cov", "pytest"),
        ),
        (
            {"requirements-dev.txt": "pytest==8\n", "requirements.txt": "x\n"},
            (),
            ("requirements-dev.txt", "requirements.txt"),
            (),
        ),
        (
            {"requirements/dev.txt": "tox\n", "requirements/tests.in": "", "requirements/tests.txt": "pytest\n"},
            (),
            ("requirements/tests.txt",),
            (),
        ),
        (
            {"setup.cfg": "[metadata]\n[options.extras_require]\ntesting =\n  pytest\n[x]\nno =\n"},
            ("testing",),
            (),
            ("pytest",),
        ),
        (
            {"test_a.py": "import hypothesis\ndef test_one(mocker): pass\n"},
            (),
            (),
            ("hypothesis", "pytest-mock", "pytest"),
        ),
        (
            {"setup.py": "", "pytest.ini": "[pytest]\naddopts = --cov=a -n auto\n"},
            (),
            (),
            ("pytest-cov", "pytest-xdist", "pytest"),
        ),
        ({"tests/test_a.py": "import unittest\nimport evil_name_on_the_index\n"}, (), (), ()),
        (
            {
                "setup.py": "",
                "elm/__init__.py": "",
                "tests/test_a.py": "import elm\nimport toml\n",
                ".github/workflows/release.yml": "    - run: pip install elm toml\n    - run: elm --version\n",
            },
            (),
            (),
            ("toml",),  # under the project's own name an index may have anybody's
        ),
        (
            {
                "pyproject.toml": '[tool.poetry]\nname = "a"\n[tool.poetry.dev-dependencies]\n'
                'twine = "*"\npytest = "^8"\nSphinx = "*"\nsphinx-copybutton = "*"\nipython = "*"\n',
                "tests/test_a.py": "import IPython\n",
            },
            (),
            (),
            ("pytest", "ipython"),  # what is for releases and documents takes minutes to install, and no test needs it
        ),
    ],
)
def test_what_tests_need_is_found_where_the_repository_says_it(
    files: dict[str, str], extras: tuple[str, ...], requirements: tuple[str, ...], packages: tuple[str, ...]
) -> None:
    needs = find_needs(files)
    assert (needs.extras, needs.requirements, needs.packages) == (extras, requirements, packages)


def test_a_package_of_the_same_repository_is_installed_from_it_and_not_from_the_index() -> None:
    files = {
        "pyproject.toml": f'{PROJECT}dependencies = ["a-core >=2", "x"]\n',
        "core/pyproject.toml": '[project]\nname = "a_core"\n',
        "more/pyproject.toml": '[project]\nname = "other"\n',
        "tests/test_a.py": "def test_a(): pass",
    }
    setups = [way.setup.command.partition("pip install ")[2] for way in python_ways(files) if way.setup]
    assert setups == ["-e ./core -e . pytest", "pytest"]


@pytest.mark.parametrize(
    ("paths", "commands"),
    [
        (["tests/test_a.py"], ["-m pytest -q", "-m unittest discover -s tests"]),
        (
            ["a/__init__.py", "a/tests.py"],
            ["-m pytest -q", "-m pytest -q -o python_files='[Tt]est*.py *_test.py'", "-m unittest discover"],
        ),
        (["a/__init__.py", "a/test_b.py"], ["-m pytest -q", "-m unittest discover"]),
        (
            ["tests/TestParser.py"],
            [
                "-m pytest -q",
                "-m pytest -q -o python_files='[Tt]est*.py *_test.py'",
                "-m unittest discover -s tests -p 'Test*.py'",
            ],
        ),
    ],
)
def test_tests_are_found_under_every_usual_name(paths: list[str], commands: list[str]) -> None:
    (*_, way) = python_ways({"pytest.ini": "", "setup.py": "", **dict.fromkeys(paths, "")})
    assert [one.command.removeprefix(".venv/bin/python ") for one in way.candidates("test")] == commands


def test_less_and_less_is_installed_until_something_works() -> None:
    files = {
        "pyproject.toml": f"{PROJECT}[project.optional-dependencies]\ntest = ['pytest', 'broken']\n",
        "tests/test_a.py": "",
    }
    setups = [way.setup.command.partition("pip install ")[2] for way in python_ways(files) if way.setup]
    assert setups == ["-e '.[test]' pytest", "-e . pytest", "pytest"]


def test_the_tool_of_the_lockfile_comes_first_and_plain_pip_is_left_where_it_is_not_installed() -> None:
    names = [way.name for way in python_ways({"setup.py": "install_requires=1", "uv.lock": "", "poetry.lock": ""})]
    assert names[:3] == ["uv", "poetry", "a virtual environment"]


def test_a_pinned_version_of_python_is_asked_for_by_name() -> None:
    ways = python_ways({"pyproject.toml": f"{PROJECT}dependencies = ['x']\n", ".python-version": "3.12.4\n"})
    assert ways[0].setup and ways[0].setup.command.startswith("python3.12 -m venv")


def test_what_their_own_ci_calls_is_tried_before_what_the_layout_suggests() -> None:
    files = {
        "setup.py": "",
        "tests/test_a.py": "import unittest\n",
        ".github/workflows/ci.yml": "  - run: |\n      pytest -n auto tests/ ${{ x }}\n      pytest --cov=a tests\n",
        "tox.ini": "[testenv]\ncommands = python -m unittest discover -v\n",
    }
    commands = [candidate.command for candidate in python_ways(files)[0].candidates("test")]
    assert commands == [
        ".venv/bin/python -m pytest -q tests",
        ".venv/bin/python -m unittest discover -v",
        ".venv/bin/python -m pytest -q",
        ".venv/bin/python -m unittest discover -s tests",
    ]


@pytest.mark.parametrize(
    "example",
    ["pytest tests/test_a.py -k fast", "python -m unittest tests.test_a", "pytest tests || true", "pytest $(cat list)"],
)
def test_an_example_of_the_documents_or_a_line_of_shell_never_comes_before_the_whole_suite(example: str) -> None:
    files = {"setup.py": "", "tests/test_a.py": "", "README.md": f"```sh\n{example}\n```\n"}
    commands = [candidate.command for candidate in python_ways(files)[0].candidates("test")]
    assert "test_a" not in commands[0]
    assert not any("||" in command or "$" in command for command in commands)


def test_groups_that_include_each_other_have_an_end_and_options_of_pip_are_no_packages() -> None:
    names = ", ".join(f"{{include-group = 'g{m}'}}" for m in range(40))
    groups = "".join(f"g{n} = [{names}]\n" for n in range(40))
    text = f"[dependency-groups]\ntest = [{{include-group = 'g0'}}, '--editable=x', 'pytest']\n{groups}"
    assert find_needs({"pyproject.toml": text}).packages == ("pytest",)


def test_a_call_of_single_test_files_comes_after_the_whole_suite() -> None:
    files = {"setup.py": "", "tests/test_a.py": "", ".github/workflows/ci.yml": "  - run: pytest tests/test_a.py\n"}
    commands = [candidate.command for candidate in python_ways(files)[0].candidates("test")]
    assert commands[0] == ".venv/bin/python -m pytest -q"
    assert commands[-1] == ".venv/bin/python -m pytest -q tests/test_a.py"


def test_tests_beside_the_module_are_found() -> None:
    (way,) = python_ways({"a.py": "", "test_a.py": "import unittest\n"})
    assert way.setup is None
    assert [c.command for c in way.candidates("test")] == ["python3 -m unittest discover"]
