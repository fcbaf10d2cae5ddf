"""What a change of a test file means to the tests that were in it. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.meaning.meaning import compare_tests
from autopilot.model.evidence.control import Meaning

PY = '''"""About shops."""
import os
import pytest
from shop import Shop, total as sum_up
from unittest import TestCase

RATE = 2
ROWS = [(1, 2), (2, 4)]


@pytest.fixture
def shop():
    return Shop("a", 'b')


def double(number):
    return RATE * number


@pytest.mark.parametrize(("given", "wanted"), [(1, 2), (2, 4)])
def test_double(given, wanted):
    """Twice."""
    assert double(given) == wanted


@pytest.mark.parametrize("row", ROWS)
def test_rows(row, shop):
    # by rows
    assert sum_up(row) == shop.total(row)


class TestShop(TestCase):
    def test_open(self):
        self.assertTrue(os.path.exists("."))
'''


def py(old: str, new: str) -> str:
    assert old in PY
    return PY.replace(old, new)


@pytest.mark.parametrize(
    "new",
    [
        PY,
        PY.replace("\n", "\r\n"),
        py("# by rows", "# row by row"),
        py("Shop(\"a\", 'b')", "Shop(\n        'a',\n        'b',\n    )"),
        py('"""Twice."""\n', ""),
        py('"""About shops."""\n', ""),
        py("def test_double(given, wanted):", "def test_double(given, wanted) -> None:"),
        py("import os\nimport pytest\nfrom shop", "import pytest\nimport os\nfrom shop"),
        py("from shop import Shop, total as sum_up", "from shop import total as sum_up\nfrom shop import Shop"),
        py("from unittest import TestCase\n", "").replace("import os", "from unittest import TestCase\nimport os"),
    ],
)
def test_layout_comments_docstrings_and_the_order_of_imports_mean_nothing(new: str) -> None:
    assert compare_tests(PY, new, "tests/test_shop.py") is Meaning.SAME


@pytest.mark.parametrize(
    "new",
    [
        PY + "\n\ndef test_more():\n    assert double(3) == 6\n",
        PY + "\n\nasync def test_more():\n    assert double(3) == 6\n",
        py("RATE = 2", "RATE = 2\nMORE = {'a': (1, Shop('x'))}\nNAME: str = '-'.join(['a'])"),
        py("import os\n", "import os\nimport json\nfrom shop import refund\n"),
        py("import os\n", "import os\nimport os.path\n"),
        PY + "\n    def test_closed(self):\n        self.assertFalse(None)\n",
        PY + "\n    def price(self):\n        return 3\n",
        PY + "\n\nclass TestMore(TestCase):\n    def setUp(self):\n        1\n\n    def test_open(self):\n        1\n",
        PY + "\n\n@pytest.fixture(scope='module')\ndef other():\n    return 1\n\n\ndef test_more(other):\n    1\n",
        PY + "\n\n@pytest.mark.parametrize('x', [1, pytest.param(2, id='two')])\ndef test_more(x):\n    assert x\n",
        py("def double", "def test_first():\n    assert 1\n\n\ndef double"),
        py("[(1, 2), (2, 4)])", "[(1, 2), (2, 4), (3, 6)])"),
        py("[(1, 2), (2, 4)])", "[(0, 0), (1, 2), (2, 4)])"),
        py("ROWS = [(1, 2), (2, 4)]", "ROWS = [(1, 2), (2, 4), (4, 8)]"),
    ],
)  # fmt: skip
def test_new_tests_and_what_only_they_use_are_additions(new: str) -> None:
    assert new != PY
    assert compare_tests(PY, new, "tests/test_shop.py") is Meaning.ADDS


@pytest.mark.parametrize(
    "new",
    [
        "",
        "def broken(:",
        PY + "\ndef broken(:\n",
        py("== wanted", "is not None"),
        py("assert double(given) == wanted", "pass"),
        py("RATE = 2", "RATE = 3"),
        py("    def test_open(self):", "    def check_open(self):"),
        py("class TestShop(TestCase)", "class TestShop"),
        py("import os\n", ""),
        py("import os\n", "import posix as os\n"),
        py("[(1, 2), (2, 4)])", "[(1, 2)])"),
        py("[(1, 2), (2, 4)])", "[])"),
        py("[(1, 2), (2, 4)])", "[(1, 2), (2, 5)])"),
        py("ROWS = [(1, 2), (2, 4)]", "ROWS = [(1, 2)]"),
        py("RATE = 2\nROWS = [(1, 2), (2, 4)]", "ROWS = [(1, 2), (2, 4)]\nRATE = 2"),
        "# coding: utf-7\n" + PY,
        # a new decorator on an old test
        py("def test_double", "@pytest.mark.skip\ndef test_double"),
        py("class TestShop", "@pytest.mark.skip\nclass TestShop"),
        # in place of what was there
        PY + "\n\ndef test_double():\n    pass\n",
        PY + "\n\ndef double(number):\n    return 2\n",
        PY + "\n\ndef sum_up(rows):\n    return 2\n",
        PY + "\n\nsum_up = RATE\n",
        PY + "\n\ndef abs(x):\n    return 2\n",
        PY + "\n    def test_open(self):\n        pass\n",
        PY + "\n    def assertTrue(self, value):\n        pass\n",
        PY + "\n\nclass Shop:\n    pass\n",
        py("import os\n", "import os\nfrom other import wanted\n"),
        py("import os\n", "import os\nfrom other import *\n"),
        py("import os\n", "import os\nimport fake as double\n"),
        py("from shop import Shop, total as sum_up", "from shop import Shop, total as sum_up, fake as sum_up"),
        # what applies by itself
        PY + "\n\n@pytest.fixture(autouse=True)\ndef patched():\n    yield\n",
        PY + "\n\n@pytest.fixture(autouse=not 0)\ndef patched():\n    yield\n",
        PY + "\n\n@pytest.fixture(**OPTIONS)\ndef patched():\n    yield\n",
        PY + "\n\n@pytest.fixture(name='shop')\ndef patched():\n    yield\n",
        PY + "\n\ndef setup_module():\n    pass\n",
        PY + "\n\ndef setUpModule():\n    pass\n",
        PY + "\n\ndef load_tests(loader, tests, pattern):\n    return tests\n",
        PY + "\n\ndef pytest_generate_tests(metafunc):\n    pass\n",
        PY + "\n\npytestmark = pytest.mark.skip\n",
        PY + "\n\n__test__ = False\n",
        PY + "\n    def setUp(self):\n        pass\n",
        PY + "\n    @classmethod\n    def setUpClass(cls):\n        pass\n",
        PY + "\n    __test__ = False\n",
        PY + "\n    failureException = KeyError\n",
        py("import os\n", "import os\nfrom other import setup_module\n"),
        # statements with effects
        PY + "\n\nShop.total = None\n",
        PY + "\n\nsetattr(Shop, 'total', None)\n",
        PY + "\n\nMORE = setattr(Shop, 'total', None)\n",
        PY + "\n\nfor name in dir(Shop):\n    pass\n",
        PY + "\n\ndel RATE\n",
        PY + "\n\ndef test_more(x=setattr(Shop, 'total', None)):\n    pass\n",
        PY + "\n\n@Shop.patch\ndef test_more():\n    pass\n",
        PY + "\n\nclass TestMore:\n    Shop.total = None\n",
        PY + "\n\nclass TestMore(metaclass=Shop):\n    pass\n",
    ],
)  # fmt: skip
def test_whatever_reaches_a_test_that_was_there_is_another_meaning(new: str) -> None:
    assert compare_tests(PY, new, "tests/test_shop.py") is Meaning.OTHER


def test_the_test_tool_itself_may_be_imported() -> None:
    old = "from shop import a\n\n\ndef test_a():\n    assert a\n"
    new = f"import pytest\n{old}\n\n@pytest.fixture\ndef b():\n    return 1\n\n\ndef test_b(b):\n    assert b\n"
    assert compare_tests(old, new, "test_a.py") is Meaning.ADDS


def test_a_relative_import_of_a_moved_file_is_known_by_where_it_leads() -> None:
    old, new = "from .shop import a\n", "from ..shop import a\n"
    assert compare_tests(old, new, "tests/test_a.py", "tests/unit/test_a.py") is Meaning.SAME
    assert compare_tests(old, old, "tests/test_a.py", "tests/unit/test_a.py") is Meaning.OTHER


def test_examples_in_a_docstring_may_be_run_and_count() -> None:
    assert compare_tests('"""\n>>> 1\n1\n"""\n', "", "test_a.py") is Meaning.OTHER


def test_a_language_that_is_not_read_is_not_known() -> None:
    assert compare_tests("a", "a ", "test_a.rb") is Meaning.OTHER
    assert compare_tests("a = '\ufffd'\n", "a  = '\ufffd'\n", "test_a.py") is Meaning.OTHER
