"""Data that tests read and modules that they alone load judge the work; the product's own do not. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.judging_modules import helpers_of_tests, modules_beside_tests

PRODUCT = {"shop/__init__.py": "", "shop/cart.py": "def total(rows):\n    return sum(rows)\n"}
READS_FOLDER = 'from shop.cart import total\nfor path in (ROOT / "cases").iterdir():\n    total(path)\n'
HELPER = "def plain(text):\n    return text.strip()\n"
WITH_CART = "from kit.plain import plain\nfrom shop.cart import total\n"


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("cases/one", READS_FOLDER),
        ("limits.ini", 'settings.read(ROOT / "limits.ini")\n'),
        ("wanted/a.dat", "for path in glob('*.dat'):\n    pass\n"),
        ("wanted/first.cfg", 'read(f"{ROOT}/{name}", "first")\n'),
    ],
)
def test_data_that_the_run_opened_and_only_tests_speak_of_judges(path: str, test: str) -> None:
    files = {**PRODUCT, path: "1\n", "tests/test_cart.py": test}
    assert helpers_of_tests([path], files, files.get, {path}) == (path,)
    assert helpers_of_tests([path], {**files, "tests/test_cart.py": ""}, lambda _: "", {path}) == ()


@pytest.mark.parametrize(
    ("path", "product"),
    [
        ("rates/food", 'folder = Path(__file__).parent / "rates"\n'),
        ("rates/food.toml", "paths = glob('*.toml')\n"),
        ("rates/food.toml", 'load("food")\n'),
        ("rates/food.toml", "open('shop/rates/' + name)\n"),
    ],
)
def test_data_that_the_product_finds_is_its_own(path: str, product: str) -> None:
    files = {**PRODUCT, "shop/cart.py": product, path: "1\n", "tests/test_cart.py": f'open("{path}")\n'}
    assert helpers_of_tests([path], files, files.get, {path}) == ()


def test_a_document_and_a_template_are_no_data_of_tests() -> None:
    files = {**PRODUCT, "README.md": "", "pages/list.html": "", "tests/test_cart.py": 'open("README.md"), "pages/"\n'}
    assert helpers_of_tests(["README.md", "pages/list.html"], files, files.get, set(files)) == ()


def test_data_that_was_not_opened_judges_only_where_a_test_names_it() -> None:
    files = {**PRODUCT, "cases/one.txt": "1\n", "tests/test_cart.py": READS_FOLDER}
    assert helpers_of_tests(["cases/one.txt"], files, files.get) == ()
    named = {**files, "tests/test_cart.py": 'open("cases/one.txt")\n'}
    assert helpers_of_tests(["cases/one.txt"], named, named.get) == ("cases/one.txt",)


@pytest.mark.parametrize(
    "test",
    [WITH_CART, "import runpy\nrunpy.run_path(ROOT / ('pla' + 'in.py'))\n"],
    ids=["imported beside the product", "loaded by a name that nobody writes"],
)
def test_a_module_that_only_tests_load_stands_beside_them(test: str) -> None:
    files = {**PRODUCT, "kit/plain.py": HELPER, "tests/test_cart.py": test}
    assert modules_beside_tests(["kit/plain.py"], files, files.get, {"kit/plain.py"}) == ("kit/plain.py",)
    assert modules_beside_tests(["kit/plain.py"], files, files.get, ()) == ()


@pytest.mark.parametrize(
    "more",
    [
        {"tests/test_plain.py": "from kit.plain import plain\n"},
        {"shop/cart.py": "from kit.plain import plain\n"},
        {"shop/cart.py": 'load(FOLDER / "kit")\n'},
        {"kit/plain.py": "from shop.cart import total\n"},
        {"tests/test_cart.py": 'run(["python", "kit/plain.py"])\n'},
        {"tests/test_cart.py": 'run(["python", "-m", "kit.plain"])\n'},
    ],
    ids=["asked by itself", "imported by the product", "named by it", "built on it", "started by tests", "as a module"],
)
def test_a_module_of_the_product_does_not(more: dict[str, str]) -> None:
    files = {**PRODUCT, "kit/plain.py": HELPER, "tests/test_cart.py": WITH_CART, **more}
    assert modules_beside_tests(["kit/plain.py"], files, files.get, {"kit/plain.py"}) == ()


def test_scripts_are_told_apart_like_modules() -> None:
    test = "import { plain } from '../kit/plain.js'\nimport { total } from '../shop/cart.js'\n"
    files = {"shop/cart.js": "export const total = 1\n", "kit/plain.js": "export const plain = 1\n"}
    files["tests/cart.test.js"] = test
    assert modules_beside_tests(["kit/plain.js"], files, files.get, {"kit/plain.js"}) == ("kit/plain.js",)
    assert modules_beside_tests(["shop/cart.js"], files, files.get, {"shop/cart.js"}) == ("shop/cart.js",)
