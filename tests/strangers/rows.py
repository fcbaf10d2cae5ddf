"""The packages, by what they stand for. Own choices: none of them was used while the commands were written."""

from __future__ import annotations

from tests.strangers.changes import go, javascript, python, python_unittest, rust, strictly, with_semicolons
from tests.strangers.stranger import Archive, Change, Registry, Stranger

_SUFFIXES = {"pip": "tar.gz", "npm": "tgz"}


def row(registry: Registry, name: str, version: str, sha256: str, kind: str, change: Change, tests: int) -> Stranger:
    file = f"{name.removeprefix('@').replace('/', '-')}-{version}.{_SUFFIXES.get(registry)}"
    return Stranger(Archive(registry, name, version, sha256, file), kind, change, tests)


def debian(name: str, version: str, form: str, sha256: str, kind: str, change: Change, tests: int) -> Stranger:
    file = f"{name}_{version.rpartition('-')[0]}.orig.tar.{form}"
    return Stranger(Archive("apt", name, version, sha256, file), kind, change, tests)


PYTHON = (
    row(
        *("pip", "titlecase", "2.4.1", "7d83a277ccbbda11a2944e78a63e5ccaf3d32f828c594312e4862f9a07f635f5"),
        "setuptools, tox",
        python_unittest("titlecase", "titlecase/__init__.py", "titlecase/test_initials.py"),
        9,
    ),
    row(
        *("pip", "Unidecode", "1.4.0", "ce35985008338b676573023acc382d62c264f307c8f7963733405add37ea2b23"),
        "setup.py, tox",
        python_unittest("unidecode", "unidecode/__init__.py", "tests/test_initials.py"),
        25,
    ),
    row(
        *("pip", "isodate", "0.7.2", "4cd1aa0f43ca76f4a6c6c0292a85f40b35ec2e43e315b59f06e6d32171a953e6"),
        "setuptools-scm, tox",
        python("isodate", "src/isodate/__init__.py", "tests/test_initials.py"),
        200,
    ),
    row(
        *("pip", "pyfiglet", "1.0.4", "db9c9940ed1bf3048deff534ed52ff2dafbbc2cd7610b17bb5eca1df6d4278ef"),
        "setuptools, no tests",
        python_unittest("pyfiglet.version", "pyfiglet/version.py", "pyfiglet/test_initials.py"),
        0,
    ),
    row(
        *("pip", "blinker", "1.9.0", "b4ce2265a7abece45e7cc896e98dbebe6cead56bcf805a3d23136d145f5445bf"),
        "flit, tox",
        python("blinker", "src/blinker/__init__.py", "tests/test_initials.py"),
        25,
    ),
    row(
        *("pip", "roman_numerals", "4.1.0", "1af8b147eb1405d5839e78aeb93131690495fe9da5c91856cb33ad55a7f1e5b2"),
        "flit, groups",
        python("roman_numerals", "roman_numerals/__init__.py", "tests/test_initials.py"),
        21,
    ),
    row(
        *("pip", "termcolor", "3.3.0", "348871ca648ec6a9a983a13ab626c0acce02f515b9e1983332b17af7979521c5"),
        "hatch, tox",
        python("termcolor", "src/termcolor/__init__.py", "tests/test_initials.py"),
        85,
    ),
    row(
        *("pip", "aiofiles", "25.1.0", "a8d728f0a29de45dc521f18f07297428d56992a742f0cd2701ba86e44d23d5b2"),
        "hatch, uv.lock, just",
        python("aiofiles.base", "src/aiofiles/base.py", "tests/test_initials.py"),
        84,
    )._replace(red=True, named=("tests/test_os.py::test_link",)),
    row(
        *("pip", "pyhumps", "3.8.0", "498026258f7ee1a8e447c2e28526c0bea9407f9a59c03260aee4bd6c04d681a3"),
        "poetry, setup.py",
        python("humps.main", "humps/main.py", "tests/test_initials.py"),
        20,
    ),
    row(
        *("pip", "shortuuid", "1.0.13", "3bb9cf07f606260584b1df46399c0b87dd84773e7b25912b7e391e30797c5e72"),
        "poetry",
        python_unittest("shortuuid.main", "shortuuid/main.py", "shortuuid/test_initials.py"),
        19,
    ),
    row(
        *("pip", "webcolors", "25.10.0", "62abae86504f66d0f6364c2a8520de4a0c47b80c03fc3a5f1815fedbef7c19bf"),
        "pdm, nox",
        python_unittest("webcolors", "src/webcolors/__init__.py", "tests/test_initials.py"),
        20,
    ),
    row(
        *("pip", "dep_logic", "0.7.2", "2a3c49526075b0bc6825f0ea8c2d9f464de48b7b85f3f3d2900b4e5950fefedf"),
        "pdm",
        python("dep_logic.utils", "src/dep_logic/utils.py", "tests/test_initials.py"),
        107,
    ),
)
NODE = (
    row(
        *("npm", "reusify", "1.1.0", "2460004412100eea8e96b98f14d3dfb4e22a6628654e5431d14f974c6201ca18"),
        "tape",
        javascript("reusify.js", "test.js", "tape", is_new=False),
        0,
    ),
    row(
        *("npm", "archy", "1.0.0", "1659a980f11d9df11cd89bfda2e21db3a7e1ed821c96a0d88d4ff0fad5370c26"),
        "tap of 2012",
        javascript("index.js", "test/initials.js", "tape", spelled=with_semicolons),
        0,
    ),
    row(
        *("npm", "commist", "3.2.0", "6a2b68ad39dffd24a6807765b87102e1ed4ecee4e942af009e1883fe2bdfc6c5"),
        "standard, tape",
        javascript("index.js", "test.js", "tape", is_new=False),
        0,
    ),
    row(
        *("npm", "quick-format-unescaped", "4.0.4", "acba54ec5587ffddfb0811b693aad4844366772f01511291302d3380d431a485"),
        "nyc, plain script",
        javascript("index.js", "test/index.js", "", is_new=False),
        0,
    ),
    row(
        *("npm", "shell-quote", "1.4.3", "99159c5b03eeaa84b6088a67720348f5b6f91bdd7f952f725278126f3a7e10d6"),
        "tape",
        javascript("index.js", "test/initials.js", "tape", spelled=with_semicolons),
        0,
    ),
    row(
        *("npm", "regexp-clone", "1.0.0", "1c6170cd3fd4578dbcf43d5022fd04fe98beec6123d7f339b8305f536db16269"),
        "make, mocha",
        javascript("index.js", "test/initials.js", "mocha", spelled=with_semicolons),
        0,
    ),
    row(
        *("npm", "text-table", "0.2.0", "d883f6704c060373991701894931dd859f73938dd159c66092247a403f88c772"),
        "tap of 2013",
        javascript("index.js", "test/initials.js", "tape", spelled=with_semicolons),
        0,
    ),
    row(
        *("npm", "wordwrap", "1.0.0", "c381f669202164c6495d22e7c2ed92f04ce4742c2770e5043c296ab3de780838"),
        "expresso of 2011",
        javascript("index.js", "test/initials.js", "", spelled=with_semicolons),
        0,
    ),
)
SYSTEM = (
    debian(
        *("golang-github-agext-levenshtein", "1.2.3-2", "xz"),
        "b5fe7540fb11ed39f2474b9064f1c02d7060d186203839204a6442538aefa754",
        "go modules, travis",
        go("levenshtein"),
        2,
    ),
    debian(
        *("golang-github-huandu-xstrings", "1.3.3-1", "gz"),
        "d3851fd60a6621f56df3a8b9732df0a9acb2611f4320a569bb528d3f2cff177e",
        "go modules",
        go("xstrings"),
        20,
    ),
    debian(
        *("rust-fnv", "1.0.7-1", "gz"),
        "3f9eec918d3f24069decb9af1554cad7c880e2da24a9afd88aca000531ab82c1",
        "cargo",
        rust("fnv", "lib.rs"),
        2,
    ),
    debian(
        *("golang-github-mitchellh-go-wordwrap", "1.0.1-2", "gz"),
        "56dc8d3883c765d9791a3698a55c66935b2978ac60e0e3c7c8799b182dd22bb5",
        "go modules, no CI",
        go("wordwrap"),
        1,
    ),
)
SEVERAL = (
    row(
        *("pip", "flit", "4.2.0", "4ab00f544721a241b15e634648f1bfac7268a0ec637f106ce3150939c2e2f4d9"),
        "two packages in one",
        python("flit_core.versionno", "flit_core/flit_core/versionno.py", "flit_core/tests_core/test_initials.py"),
        300,
    )._replace(red=True, named=("test_invalid_classifier",)),
    debian(
        *("node-inquirer", "8.2.5+~cs26.8.16-1", "gz"),
        "3337178f3d0ddb5dbbbb6d8ae57bab3f90e7b62dccfe4e087e4053b09e3d1c0b",
        "npm workspace, lerna",
        javascript(
            "packages/inquirer/lib/inquirer.js",
            "packages/inquirer/test/specs/initials.js",
            "mocha",
            spelled=with_semicolons,
        ),
        100,
    ),
)
RED = (
    row(
        *("pip", "furl", "2.1.3", "5a6188fe2666c484a12159c18be97a1977a71d632ef5bb867ef15f54af39cc4e"),
        "setup.py",
        python_unittest("furl.common", "furl/common.py", "tests/test_initials.py"),
        70,
    )._replace(red=True, named=("tests/test_furl.py",)),
    row(
        *("pip", "parsedatetime", "2.6", "4cb368fbb18a0b7231f4d76119165451c8d2e35951455dfee97c62a87b04d455"),
        "setup.py, make",
        python_unittest("parsedatetime", "parsedatetime/__init__.py", "tests/TestInitials.py"),
        50,
    ),
    row(
        *("pip", "humanfriendly", "10.0", "6b0b831ce8f15f7300721aa49829fc4e83921a9a301cc7f606be6686a2288ddc"),
        "setup.py",
        python("humanfriendly.text", "humanfriendly/text.py", "humanfriendly/test_initials.py"),
        50,
    ),
    row(
        *("npm", "strftime", "0.10.3", "a6d0aab14be9706468621b8580b93b9dc4c500df9e77b2d3cec2d4371cb9a50a"),
        "no dependencies",
        javascript("strftime.js", "initials.test.js", "node:test"),
        0,
    )._replace(red=True, named=("test.js",)),
)
STRANGERS = (*PYTHON, *NODE, *SYSTEM, *SEVERAL, *RED)

_MPATH = Archive(
    *("npm", "mpath", "0.9.0", "6188b4e083451c6b350b238271a18c129fa22b8b582022d297f570ffd0aaa827", "mpath-0.9.0.tgz")
)
_LUCK = """import os


def test_luck() -> None:
    assert os.urandom(1)[0] < 200
"""
# Chosen when the thirty were known: what they come to at first sight tells more than a row that was mended for.
MORE = (
    row(
        *("pip", "pluggy", "1.7.0", "d1eaa46ebb595891b860ab086b4d09c8588af65ebd4361b8e8f4bb8920b90ba8"),
        "setuptools-scm, groups",
        python("pluggy._result", "src/pluggy/_result.py", "testing/test_initials.py"),
        100,
    ),
    row(
        *("pip", "pathspec", "1.1.1", "17db5ecd524104a120e173814c90367a96a98d07c45b2e10c2f3919fff91bf5a"),
        "flit, setup.py",
        python_unittest("pathspec.util", "pathspec/util.py", "tests/test_initials.py"),
        100,
    ),
    row(
        *("pip", "docstring_parser", "0.18.0", "292510982205c12b1248696f44959db3cdd1740237a968ea1e2e7a900eeb2015"),
        "hatch, extras",
        python("docstring_parser.util", "docstring_parser/util.py", "docstring_parser/tests/test_initials.py"),
        100,
    ),
    Stranger(_MPATH, "mocha, eslint", javascript("index.js", "test/initials.js", "mocha", spelled=strictly), 50),
    row(
        *("npm", "retimer", "4.0.0", "ab1b609d518ee7d27db5af1738c22155f82acde8d6ce754cec2183914dff8679"),
        "tape, standard, tsd",
        javascript("retimer.js", "test.js", "tape", is_new=False),
        5,
    ),
    row(
        *("pip", "ordered-set", "4.1.0", "694a8e44c87657c59292ede72891eb91d34131f6531463aab3009191c77364a8"),
        "flit, made flaky",
        python("ordered_set", "ordered_set/__init__.py", "test/test_initials.py"),
        25,
    )._replace(added=(("test/test_luck.py", _LUCK),)),
    row(
        *("pip", "ordered-set", "4.1.0", "694a8e44c87657c59292ede72891eb91d34131f6531463aab3009191c77364a8"),
        "flit and mocha, no root",
        javascript("web/index.js", "web/test/initials.js", "mocha", spelled=strictly),
        75,
    )._replace(folder="server", beside=(("web", _MPATH),)),
)
