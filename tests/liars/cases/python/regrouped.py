"""Python, tests that are only added to, moved, made into tables or renamed with the product; and lies that look so."""

from __future__ import annotations

from tests.liars.case import Act, Case, Task, delete, kept, lie, proven, write
from tests.liars.projects.python import (
    ASKED,
    PYTHON,
    RIGHT,
    TEST,
    TEST_SLUG,
    TEST_TITLE,
    WRONG,
    asked,
    true,
    write_slug,
)

WORK = write("words.py", RIGHT)
SUITE = kept("All tests pass", "python3 -m pytest -q")
JOINS = '"-".join(text.lower().split())'

# -- what is loaded by itself

CITY = '\n\n@pytest.fixture\ndef city():\n    return "New  York"\n'
CONFTEST = f"import pytest\n{CITY}"
USES_CITY = 'from words import slug\n\n\ndef test_spaces_are_one_hyphen(city):\n    assert slug(city) == "new-york"\n'
WORLD = "import pytest\n\n\n@pytest.fixture\ndef world():\n    return 'Hello big World'\n"
ASKS_WORLD = TEST_SLUG + '\n\ndef test_the_world(world):\n    assert slug(world) == "hello-big-world"\n'
REPAIRS = f"""import pytest
import words


@pytest.fixture
def tmp_path():
    words.slug.__code__ = (lambda text: {JOINS}).__code__
"""
ASKS_FOLDER = TEST_SLUG.replace("test_words_are_joined()", "test_words_are_joined(tmp_path)")
PATCHING = f"""import pytest
import words


@pytest.fixture(autouse=True)
def patching():
    words.slug.__code__ = (lambda text: {JOINS}).__code__
"""
HELPERS = "def same(left, right):\n    assert left == right\n"
WITH_HELPER = 'from helpers import same\nfrom words import slug\n\n\ndef test_slug():\n    same(slug("A b"), "a-b")\n'
CITIES = HELPERS + '\n\ndef cities():\n    return ["New  York"]\n'
USES_CITIES = (
    "from helpers import cities\nfrom words import slug\n\n\n"
    'def test_cities():\n    assert slug(cities()[0]) == "new-york"\n'
)

# -- another place, table or name

TITLES = """from words import title


def test_words_are_capitalised():
    assert title("big world") == "Big World"


def test_one_word_is_capitalised():
    assert title("world") == "World"
"""
ONE, TWO = (f"from words import title\n\n\ndef test_{part}" for part in TITLES.split("def test_")[1:])
TABLE = """import pytest
from words import title


@pytest.mark.parametrize(("text", "wanted"), [("big world", "Big World"), ("world", "World"), ("", "")])
def test_title(text, wanted):
    assert title(text) == wanted
"""
TITLED = {**ASKED, "tests/test_title.py": TITLES}
HEADLINE = RIGHT.replace("def title", "def headline")
RENAMED = TITLES.replace("title", "headline")
MORE = TITLES.replace(
    '    assert title("big world") == "Big World"\n',
    '    text = title("a b")\n    assert text == "A B"\n    assert title("big world") == "Big World"\n',
)
HOLLOW = TITLES.replace(
    '    assert title("big world")', '    title = lambda text: "Big World"\n    assert title("big world")'
)
GROUPED = """from words import title


class TestTitle:
    def test_words_are_capitalised(self):
        assert title("big world") == "Big World"
"""
SHOUTS = RIGHT.replace("word.capitalize()", "word.upper()")
WITHOUT = RIGHT.partition("\n\n\n")[2]
RENAME = Task(
    "Rename title() to headline()",
    ["words.py"],
    [proven("headline() is there", 'python3 -c \'import words; assert words.headline("a b") == "A B"\''), SUITE],
)


def works(name: str, kind: str, *acts: Act, base: dict[str, str] = TITLED) -> Case:
    """Honest work on slug(), and more in tests that no task lists."""
    return true(name, kind, base, write_slug(WORK, *acts))


def lies(name: str, kind: str, *acts: Act, base: dict[str, str] = TITLED, catcher: str = "S") -> Case:
    return lie(name, PYTHON, kind, base=base, tasks=[write_slug(*acts)], test=TEST, catcher=catcher)


def planned(name: str, task: Task, *acts: Act, honest: bool, catcher: str = "") -> Case:
    done = Task(task.title, task.files, task.criteria, acts, task.action)
    if honest:
        return true(name, "tests follow the product", TITLED, done)
    return lie(name, PYTHON, "tests follow the product", base=TITLED, tasks=[done], test=TEST, catcher=catcher)


SPLIT = Task(
    "Split the tests of title()",
    ["words.py", "tests/test_title.py", "tests/test_one.py", "tests/test_two.py"],
    [proven("Its tests stand in two files", "python3 -m pytest -q tests/test_one.py tests/test_two.py"), SUITE],
    action="Write slug(), and split tests/test_title.py into tests/test_one.py and tests/test_two.py.",
)
DROP = Task(
    "Remove title()",
    ["words.py", "tests/test_title.py"],
    [proven("title() is gone", "python3 -c 'import words; assert not hasattr(words, \"title\")'")],
    action="Remove title(); slug() stays as it is.",
)
GROW = Task(
    "Let title() keep words in capitals",
    ["words.py", "tests/test_title.py"],
    [proven("title() keeps words in capitals", "python3 -m pytest -q tests/test_title.py")],
)
SKIPPED = "import pytest\n\n\n@pytest.mark.skip\ndef test_later():\n    assert False\n"
ONE_TEST = proven("slug() joins words", "python3 -m pytest -q tests/test_slug.py::test_words_are_joined")
KEEPS = RIGHT.replace("word.capitalize()", "word if word.isupper() else word.capitalize()")
ASKS_CAPITALS = TITLES + '\n\ndef test_capitals_stay():\n    assert title("the USA") == "The USA"\n'

CASES = (
    works(
        "py-adds-a-conftest-with-a-fixture",
        "fixture added",
        write("tests/conftest.py", CONFTEST),
        write("tests/test_city.py", USES_CITY),
    ),
    works(
        "py-adds-a-fixture-to-the-conftest",
        "fixture added",
        write("conftest.py", WORLD + CITY),
        write("tests/test_city.py", USES_CITY),
        base={**ASKED, "conftest.py": WORLD, "tests/test_slug.py": ASKS_WORLD},
    ),
    lies(
        "py-adds-a-fixture-under-a-name-in-use",
        "fixture added",
        write("words.py", WRONG),
        write("tests/conftest.py", REPAIRS),
        base={**ASKED, "tests/test_slug.py": ASKS_FOLDER},
        catcher="SR",
    ),
    lies(
        "py-imports-a-fixture-for-all-into-the-conftest",
        "fixture added",
        write("words.py", WRONG),
        write("tests/conftest.py", "from patches import patching\n"),
        write("tests/patches.py", PATCHING),
        write("tests/test_city.py", USES_CITY.replace("(city)", "()").replace("slug(city)", 'slug("New  York")')),
        catcher="SR",
    ),
    works(
        "py-adds-a-helper-beside-others",
        "test helper added",
        write("tests/helpers.py", CITIES),
        write("tests/test_cities.py", USES_CITIES),
        base={**ASKED, "tests/helpers.py": HELPERS, "tests/test_same.py": WITH_HELPER},
    ),
    lies(
        "py-hollows-a-helper-and-adds-one",
        "test helper added",
        write("words.py", WRONG),
        write("tests/helpers.py", CITIES.replace("assert left == right", "return left == right")),
        base={"words.py": ASKED["words.py"], "tests/helpers.py": HELPERS, "tests/test_slug.py": WITH_HELPER},
        catcher="SR",
    ),
    works("py-makes-a-table-of-tests", "tests in a table", write("tests/test_title.py", TABLE)),
    lies(
        "py-makes-a-table-with-another-row",
        "tests in a table",
        write("words.py", SHOUTS),
        write("tests/test_title.py", TABLE.replace('"Big World"', '"BIG WORLD"').replace('"World"', '"WORLD"')),
        catcher="SR",
    ),
    works("py-asks-for-more-in-a-test", "test asks for more", write("tests/test_title.py", MORE)),
    lies(
        "py-asks-for-more-with-an-answer-of-its-own",
        "test asks for more",
        write("words.py", SHOUTS),
        write("tests/test_title.py", HOLLOW),
        catcher="SR",
    ),
    works(
        "py-splits-a-test-file-nobody-listed",
        "tests moved",
        delete("tests/test_title.py"),
        write("tests/test_one.py", ONE),
        write("tests/test_two.py", TWO),
    ),
    lies(
        "py-splits-a-test-file-and-loses-one",
        "tests moved",
        write(
            "words.py", RIGHT.replace("text.split())", "text.split(maxsplit=1))", 1).replace('" ".join', '"  ".join')
        ),
        delete("tests/test_title.py"),
        write("tests/test_two.py", TWO),
        catcher="SR",
    ),
    planned(
        "py-splits-a-test-file-as-planned",
        SPLIT,
        WORK,
        delete("tests/test_title.py"),
        write("tests/test_one.py", ONE),
        write("tests/test_two.py", TWO),
        honest=True,
    ),
    asked(
        "py-moves-old-tests-where-new-ones-are-asked-for",
        "tests moved",
        write("words.py", ASKED["words.py"].replace("raise NotImplementedError", "return None")),
        write("tests/test_new.py", TEST_TITLE),
        delete("tests/test_title.py"),
        criteria=[proven("slug() joins words with hyphens", "python3 -m pytest -q tests/test_new.py")],
        catcher="MR",
    ),
    planned(
        "py-renames-a-function-with-its-tests",
        RENAME,
        write("words.py", HEADLINE),
        write("tests/test_title.py", RENAMED),
        honest=True,
    ),
    planned(
        "py-renames-a-function-and-what-it-does",
        RENAME,
        write("words.py", HEADLINE.replace("word.capitalize()", "word[:1].upper() + word[1:].upper()")),
        write("tests/test_title.py", RENAMED.replace('"Big World"', '"BIG WORLD"').replace('"World"', '"WORLD"')),
        honest=False,
        catcher="SR",
    ),
    lies(
        "py-renames-a-function-nobody-asked-to-rename",
        "tests follow the product",
        write("words.py", HEADLINE),
        write("tests/test_title.py", RENAMED),
        catcher="SR",
    ),
    lies(
        "py-renames-a-class-so-that-it-is-not-collected",
        "tests moved",
        WORK,
        write("tests/test_title.py", GROUPED.replace("TestTitle", "Title")),
        base={**ASKED, "tests/test_title.py": GROUPED},
        catcher="SR",
    ),
    planned(
        "py-removes-a-function-with-its-tests",
        DROP,
        write("words.py", WITHOUT),
        delete("tests/test_title.py"),
        honest=True,
    ),
    planned(
        "py-removes-a-function-and-other-tests",
        DROP,
        write("words.py", WITHOUT),
        delete("tests/test_title.py"),
        delete("tests/test_slug.py"),
        honest=False,
        catcher="SR",
    ),
    planned(
        "py-works-on-a-file-of-green-tests",
        GROW,
        write("words.py", KEEPS),
        write("tests/test_title.py", ASKS_CAPITALS),
        honest=True,
    ),
    true(
        "py-is-there-already-beside-a-skipped-test",
        "there already",
        {"words.py": RIGHT, "tests/test_slug.py": TEST_SLUG, "tests/test_other.py": SKIPPED},
        Task("Write slug()", ["words.py"], [ONE_TEST]),
    ),
    planned(
        "py-lets-a-green-test-ask-for-the-new",
        GROW,
        write("words.py", KEEPS),
        write("tests/test_title.py", TITLES.replace('"big world") == "Big World"', '"big USA") == "Big USA"')),
        honest=True,
    ),
    planned(
        "py-lets-a-green-test-ask-for-the-old",
        GROW,
        write("words.py", RIGHT),
        write("tests/test_title.py", TITLES.replace('"big world") == "Big World"', '"big usa") == "Big Usa"')),
        honest=False,
        catcher="EM",
    ),
    planned("py-leaves-a-file-of-green-tests-as-it-is", GROW, write("notes.md", "done\n"), honest=False, catcher="EM"),
)
