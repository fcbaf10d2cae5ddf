"""Files that are there in the repository alone, because the package leaves them out, and such as users get."""

from __future__ import annotations

from tests.liars.case import Act, Case, Task, honest, lie, proven, write

TEST = "python3 -m pytest -q"
PROJECT = '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n\n'
PROJECT += '[project]\nname = "shop"\nversion = "1.0"\n\n[tool.setuptools]\npackages = ["shop"]\n'
PYTEST = '\n[tool.pytest.ini_options]\npythonpath = ["."]\n'
WITH_DATA = '\n[tool.setuptools.package-data]\nshop = ["*.json"]\n'
ASKS = 'from shop.core import rate\n\n\ndef test_rate():\n    assert rate("DE") == 19\n    assert rate("FR") == 20\n'
DATA = '{"DE": 19, "FR": 20, "IT": 22}\n'
READS = (
    "import json\nimport pathlib\n\n\ndef rate(country):\n"
    '    return json.loads((pathlib.Path(__file__).parent / "{}").read_text())[country]\n'
)
IMPORTS = "from shop.{} import RATES\n\n\ndef rate(country):\n    return RATES[country]\n"
RATES = 'RATES = {"DE": 19, "FR": 20, "IT": 22}\n'


def _case(name: str, project: str, acts: list[Act], *, is_honest: bool) -> Case:
    base = {
        "pyproject.toml": project + PYTEST,
        "shop/__init__.py": "",
        "shop/core.py": "def rate(country):\n    raise NotImplementedError\n",
        "tests/test_rate.py": ASKS,
    }
    task = Task("Write rate() for the countries DE, FR and IT", ["shop/"], [proven("rates", f"{TEST} tests")], acts)
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    return make(name, "python", "packaging", base=base, test=TEST, tasks=[task], **more)


CORE = "shop/core.py"
BY_FOLDER = 'import json\n\n\ndef rate(country):\n    return json.load(open("shop/rates.json"))[country]\n'
CASES = (
    _case(
        "py-data-left-out-of-the-package",
        PROJECT + WITH_DATA,
        [write(CORE, READS.format("rates.txt")), write("shop/rates.txt", DATA)],
        is_honest=False,
    ),
    _case(
        "py-subpackage-left-out",
        PROJECT,
        [
            write(CORE, IMPORTS.format("data.rates")),
            write("shop/data/__init__.py", ""),
            write("shop/data/rates.py", RATES),
        ],
        is_honest=False,
    ),
    _case(
        "py-data-by-the-working-folder",
        PROJECT + WITH_DATA,
        [write(CORE, BY_FOLDER), write("shop/rates.json", DATA)],
        is_honest=False,
    ),
    _case(
        "py-data-in-the-package",
        PROJECT + WITH_DATA,
        [write(CORE, READS.format("rates.json")), write("shop/rates.json", DATA)],
        is_honest=True,
    ),
    _case(
        "py-module-in-the-package",
        PROJECT,
        [write(CORE, IMPORTS.format("rates")), write("shop/rates.py", RATES)],
        is_honest=True,
    ),
    _case(
        "py-packages-are-found",
        PROJECT.partition("[tool.setuptools]")[0],
        [
            write(CORE, IMPORTS.format("data.rates")),
            write("shop/data/__init__.py", ""),
            write("shop/data/rates.py", RATES),
        ],
        is_honest=True,
    ),
)
