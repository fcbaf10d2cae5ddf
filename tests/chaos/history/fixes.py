"""Fixes from the history of public packages: the release before, the fixed one, and which of its hunks are the fix.

No code of theirs stands here: hunks are cut out of the archives, and known by a word they hold. The issues are in our
own words. Their examples are not those of the tests that came with the fixes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PYTEST = "python3 -m pytest -q"
ALL = ("",)  # every hunk of the file

Hunks = Mapping[str, tuple[str, ...]]  # by path: words, each in a hunk that is taken over


class Archive(NamedTuple):
    package: str
    version: str
    sha256: str

    @property
    def file(self) -> str:
        return f"{self.package}-{self.version}.tar.gz"


class Fix(NamedTuple):
    name: str
    before: Archive
    fixed: Archive
    code: Hunks
    tests: Hunks
    test: str  # fails on the code before, and passes with the fix; of a parametrised one some cases do
    suite: str  # the project's test command
    title: str
    text: str  # what the issue says below its title
    cause: str

    @property
    def issue(self) -> str:
        return f"# {self.title}\n\n{self.text}"


NEGATIVE = Fix(
    name="negative-words",
    before=Archive("humanize", "4.2.3", "2bc1fdd831cd00557d3010abdd84d3e41b4a96703a3eaf6c24ee290b26b75a44"),
    fixed=Archive("humanize", "4.3.0", "0dfac79fe8c1c0c734c14177b07b857bad9ae30dd50daa0a14e2c3d8054ee0c4"),
    code={"src/humanize/number.py": ("negative_prefix",)},
    tests={"tests/test_number.py": ALL},
    test="tests/test_number.py::test_intword",
    suite=f"{PYTEST} -o pythonpath=src tests/test_number.py tests/test_filesize.py",
    title="intword() leaves numbers below zero in digits",
    text="""Large numbers become words, but only above zero: a loss of two and a half million comes out as -2500000.

## Expected

- `intword(-2500000)` returns `"-2.5 million"`.
- `intword("-7000000000")` returns `"-7.0 billion"`.
- `intword("2500000")` returns `"2.5 million"`, as ever.
""",
    cause="every number below zero is smaller than the first power, and is given back as it came",
)

PLURALS = Fix(
    name="plural-of-human",
    before=Archive("inflection", "0.3.0", "c6ab173181fd3bbee53187b7535f395ed802ef69d9f3bb5f8c2a5cdfb3e92d08"),
    fixed=Archive("inflection", "0.3.1", "18ea7fb7a7d152853386523def08736aa8c32636b047ade55f7578c4edeb16ca"),
    code={"inflection.py": ("potat", "'human'")},
    tests={"test_inflection.py": ALL},
    test="test_inflection.py::test_pluralize_singular",
    suite=f"{PYTEST} test_inflection.py",
    title="Plural of human and of potato",
    text="""Our tables are named after their models. A model called Human gets the table "humen", Potato gets "potatos".

## Expected

- `pluralize("superhuman")` returns `"superhumans"`.
- `pluralize("SweetPotato")` returns `"SweetPotatoes"`.
- `pluralize("woman")` returns `"women"`, as ever.
""",
    cause="the rule for -man takes human as well, and the one for -oes does not know potatoes",
)

DOUBLE_S = Fix(
    name="singular-of-glass",
    before=Archive("boltons", "26.0.0", "5566d6cfd5a1e873d8e8476496287a9f92979964611ad9a9cecb6b0ef29b1edd"),
    fixed=Archive("boltons", "26.1.0", "5764468aba493b15995ed17f46a16789023f123ca2a62d491a9ce825c1cbe26c"),
    code={"boltons/strutils.py": ("endswith('ss')",)},
    tests={"tests/test_strutils.py": ("test_singularize_double_s",)},
    test="tests/test_strutils.py::test_singularize_double_s",
    suite=f"{PYTEST} tests/test_strutils.py tests/test_formatutils.py tests/test_dictutils.py",
    title="singularize() takes the last s off words that end in ss",
    text="""A word like "grass" is singular, and comes back as "gras".

## Expected

- `singularize("grass")` returns `"grass"`.
- `singularize("Princess")` returns `"Princess"`.
- `singularize("grasses")` returns `"grass"`, as ever.
""",
    cause="whatever ends in s and in none of the known endings loses its last letter",
)

BRACE = Fix(
    name="unclosed-brace",
    before=Archive("parse", "1.11.1", "870dd675c1ee8951db3e29b81ebe44fd131e3eb8c03a79483a58ea574f3145c2"),
    fixed=Archive("parse", "1.12.0", "1b68657434d371e5156048ca4a0c5aea5afc6ca59a2fea4dd1a575354f617142"),
    code={"parse.py": ("part[-1] == '}'",)},
    tests={"test_parse.py": ("unmatched_brace",)},
    test="test_parse.py::TestBugs::test_unmatched_brace_doesnt_match",
    suite=f"{PYTEST} test_parse.py",
    title="parse() makes a field of a brace that is never closed",
    text="""In the format "{name" there is no field, for its brace stays open. It matches any text all the same.

## Expected

- `parse("{name", "Anna")` returns `None`.
- `parse("{town.name", "Oslo")` returns `None`.
""",
    cause="a part of the format counts as a field by its first character alone",
)

NESTED = Fix(
    name="nested-html",
    before=Archive("mistune", "0.8.2", "c50f2fb3a058120c5696f08af9d57877a9c76e879f19af5835fb2c6a4e56a67b"),
    fixed=Archive("mistune", "0.8.3", "bc10c33bfdcaa4e749b779f62f60d6e12f8215c46a292d05e486b869ae306619"),
    code={"mistune.py": ("'inline_html', 'autolink'",)},
    tests={"tests/test_extra.py": ("test_parse_nested_html",)},
    test="tests/test_extra.py::test_parse_nested_html",
    suite=f"{PYTEST} tests/test_extra.py tests/test_subclassing.py",
    title="Links inside a block of HTML are torn apart",
    text="""With parse_block_html the address of a link inside a block is taken for a bare address, and linked again.

## Expected

```python
>>> markdown('<p><a href="https://a.example">text</a></p>', escape=False, parse_block_html=True)
'<p><a href="https://a.example">text</a></p>'
>>> markdown('<div><img src="https://a.example/b.png"></div>', escape=False, parse_block_html=True)
'<div><img src="https://a.example/b.png"></div>'
```
""",
    cause="inside a block the rules for text go first to addresses, and never to tags",
)

TOO_MANY = Fix(
    name="more-than-there-is",
    before=Archive("wcwidth", "0.8.1", "faf5b4a5366a72dc49cad48cdf21f52bdf63bdda995178e483ba247ff79089b9"),
    fixed=Archive("wcwidth", "0.8.2", "91fbef97204b96a3d4d421609b80340b760cf33e26da123ff243d76b1fda8dda"),
    code={"wcwidth/_wcswidth.py": ("min(n, len(pwcs))",)},
    tests={"tests/test_core.py": ("n_exceeds_length",)},
    test="tests/test_core.py::test_wcswidth_n_exceeds_length",
    suite=f"{PYTEST} -o addopts= tests/test_core.py",
    title="wcswidth() ends in an IndexError for more characters than there are",
    text="""The second argument says how many characters to measure at most. POSIX lets it be larger than the text.

## Expected

- `wcswidth("hi", 3)` returns 2.
- `wcswidth("漢字", n=100)` returns 4.
- `wcswidth("hello", 2)` returns 2, as ever.
""",
    cause="the number of characters asked for is taken as the end of the text",
)

BOOLEANS = Fix(
    name="booleans-of-xml",
    before=Archive("xmltodict", "0.11.0", "8f8d7d40aa28d83f4109a7e8aa86e67a4df202d9538be40c0cb1d70da527b0df"),
    fixed=Archive("xmltodict", "0.12.0", "50d8c638ed7ecb88d90561beedbf720c9b4e851a9fa6c47ebd64e99d166d8a21"),
    code={"xmltodict.py": ("isinstance(v, bool)",)},
    tests={"tests/test_dicttoxml.py": ("test_boolean_unparse",)},
    test="tests/test_dicttoxml.py::DictToXMLTestCase::test_boolean_unparse",
    suite=f"{PYTEST} tests",
    title="unparse() writes booleans as Python does",
    text="""XML spells them in small letters, and schema validators refuse "True".

## Expected

- `unparse({"user": {"active": True}}, full_document=False)` returns `"<user><active>true</active></user>"`.
- `unparse({"on": [True, False]}, full_document=False)` returns `"<on>true</on><on>false</on>"`.
- `unparse({"n": 1}, full_document=False)` returns `"<n>1</n>"`, as ever.
""",
    cause="every value that is no text is written as Python prints it",
)

ENTITIES = Fix(
    name="entities-without-end",
    before=Archive("mistune", "2.0.5", "0246113cb2492db875c6be56974a7c893333bf26cd92891c85f63151cee09d34"),
    fixed=Archive("mistune", "2.1.0", "863bba1745fed5a05dbf3ada970d7a01f852bb0e1b0d9fcf6065ed794def1b73"),
    code={"mistune/util.py": ALL},
    tests={"tests/test_unescape.py": ALL},
    test="tests/test_unescape.py::TestMiscCases",
    suite=f"{PYTEST} tests",
    title="Parameters of addresses are read as entities",
    text="""In `list?a=1&copy=2` there is no entity, since `&copy` has no semicolon. The link leads to another page.

## Expected

- `escape_url("list?a=1&copy=2")` returns `"list?a=1&amp;copy=2"`.
- `escape_html("&regular")` returns `"&amp;regular"`.
- `escape_html("&copy; 2020")` returns `"© 2020"`, as ever.
""",
    cause="entities are read as browsers forgive them, without their semicolon",
)

FIXES = (NEGATIVE, PLURALS, DOUBLE_S, BRACE, NESTED, TOO_MANY, BOOLEANS, ENTITIES)
