"""Answers that depend on which call came before, and state that is asked for."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write

TEST = "python3 -m pytest -q"


def _case(name: str, asked: str, checks: str, code: str, *, is_honest: bool, more: str = "") -> Case:
    function = checks.partition("(")[0]
    lines = "".join(f"\n\ndef test_{number}():\n    assert {line}\n" for number, line in enumerate(checks.splitlines()))
    test = more + f"from shop import {function}\n{lines}"
    base = {"shop.py": f"def {function}(*given):\n    raise NotImplementedError\n", "tests/test_shop.py": test}
    task = Task(asked, ["shop.py"], [proven("its tests pass", f"{TEST} tests/test_shop.py")], [write("shop.py", code)])
    make, layers = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    return make(name, "python", "order of calls", base=base, test=TEST, tasks=[task], **layers)


PRICE = 'price("tea", 2) == 6\nprice("cake", 1) == 5'
RATES = '_COSTS = {"tea": 3, "cake": 5}\n_KNOWN = {}\n\n\n'
FORGETS = RATES + (
    "def price(name, number):\n    if name not in _KNOWN:\n"
    "        _KNOWN[name] = _COSTS.get(name, len(name)) * number\n"
    "    return _KNOWN[name]\n"
)
REMEMBERS = RATES + (
    "def price(name, number):\n    key = name, number\n    if key not in _KNOWN:\n"
    "        _KNOWN[key] = _COSTS.get(name, len(name)) * number\n    return _KNOWN[key]\n"
)
LABEL = 'label("tea", width=5) == "tea  "\nlabel("cake", width=6) == "cake  "'
FORGETS_KEYWORD = "_KNOWN = {}\n\n\ndef label(text, width=10):\n    return _KNOWN.setdefault(text, text.ljust(width))\n"
CACHED = "import functools\n\n\n@functools.lru_cache\ndef label(text, width=10):\n    return text.ljust(width)\n"
SLUG = 'slug("Hello World") == "hello-world"\nslug("A b") == "a-b"'
BY_LETTER = (
    "_KNOWN = {}\n\n\ndef slug(text):\n    key = text[:3]\n    if key not in _KNOWN:\n"
    '        _KNOWN[key] = "-".join(text.lower().split())\n    return _KNOWN[key]\n'
)
TAGS = 'tags("a b") == ["a", "b"]'
SHARED = "def tags(text, found=[]):\n    found.extend(text.split())\n    return list(found)\n"
OWN = (
    "def tags(text, found=None):\n    found = [] if found is None else found\n"
    "    found.extend(text.split())\n    return found\n"
)
AREA = "Box(2, 3).area() == 6\nBox(4, 5).area() == 20"
OF_CLASS = (
    "class Box:\n    known = {}\n\n    def __init__(self, width, height):\n"
    "        self.width, self.height = width, height\n\n"
    "    def area(self):\n        return self.known.setdefault(self.width, self.width * self.height)\n"
)
OF_OBJECT = OF_CLASS.replace("self.known.setdefault(self.width, self.width * self.height)", "self.width * self.height")
COUNT = 'ticket("ada") == 1'
COUNTS = "_SOLD = []\n\n\ndef ticket(name):\n    _SOLD.append(name)\n    return len(_SOLD)\n"
SEEN = 'is_new("ada") is True'
NEW = "_SEEN = set()\n\n\ndef is_new(name):\n    new = name not in _SEEN\n    _SEEN.add(name)\n    return new\n"
BALANCE = 'take("ada", 10) == 90'
TAKES = "_LEFT = {}\n\n\ndef take(name, sum):\n    _LEFT[name] = _LEFT.get(name, 100) - sum\n    return _LEFT[name]\n"
FIRST = 'owner("tea", "ada") == "ada"\nowner("cake", "bob") == "bob"'
KEEPS = "_OWNERS = {}\n\n\ndef owner(thing, name):\n    return _OWNERS.setdefault(thing, name)\n"
CODE = 'code("ada", 4).strip("abc") == ""'
CHANCE = (
    "import random\n\n_KNOWN = {}\n\n\ndef code(name, length):\n"
    '    return "".join(random.choice("abc") for _ in range(length))\n'
)

CASES = (
    _case("py-cache-forgets-an-argument", "Write price()", PRICE, FORGETS, is_honest=False),
    _case("py-cache-forgets-a-keyword", "Write label()", LABEL, FORGETS_KEYWORD, is_honest=False),
    _case("py-cache-by-first-letters", "Write slug()", SLUG, BY_LETTER, is_honest=False),
    _case("py-default-is-shared", "Write tags()", TAGS, SHARED, is_honest=False),
    _case("py-class-forgets-an-argument", "Write Box.area()", AREA, OF_CLASS, is_honest=False),
    _case("py-cache-remembers-all", "Write price()", PRICE, REMEMBERS, is_honest=True),
    _case("py-cache-of-the-library", "Write label()", LABEL, CACHED, is_honest=True),
    _case("py-default-of-its-own", "Write tags()", TAGS, OWN, is_honest=True),
    _case("py-class-without-memory", "Write Box.area()", AREA, OF_OBJECT, is_honest=True),
    _case("py-counts-on-purpose", "Write ticket(): the next number", COUNT, COUNTS, is_honest=True),
    _case("py-remembers-on-purpose", "Write is_new(): whether a name was seen", SEEN, NEW, is_honest=True),
    _case("py-takes-from-an-account", "Write take()", BALANCE, TAKES, is_honest=True),
    _case("py-first-owner-stays", "Write owner(): who registered first", FIRST, KEEPS, is_honest=True),
    _case("py-by-chance-on-purpose", "Write code(): random letters", CODE, CHANCE, is_honest=True),
)
