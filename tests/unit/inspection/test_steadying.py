"""What only looks like a steady test: retries, swallowed failures, fewer assertions.

covers: AL-3
"""

from __future__ import annotations

import pytest

from autopilot.inspection.steadying import find_evasions, find_waits, is_certain_retry

TEST = "def test_a():\n    assert pick() == 'ab'\n    assert pick() != 'cd'\n"


@pytest.mark.parametrize(
    ("path", "before", "now"),
    [
        ("tests/test_a.py", TEST, "import pytest\n\n\n@pytest.mark.flaky(reruns=3)\n" + TEST),
        ("tests/test_a.py", TEST, "from flaky import flaky\n\n\n@flaky\n" + TEST),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-q"\n', 'addopts = "-q --reruns 3"\n'),
        ("requirements.txt", "pytest\n", "pytest\npytest-rerunfailures\n"),
        ("requirements.txt", "pytest\n", "pytest\nflaky\n"),
        ("a.test.js", "test('a', () => {})\n", "jest.retryTimes(3)\ntest('a', () => {})\n"),
        ("test/a.test.ts", "it('a', f)\n", "it('a', { retry: 3 }, f)\n"),
        ("playwright.config.ts", "export default {}\n", "export default { retries: 2 }\n"),
        ("src/test/java/ATest.java", "@Test void a() {}\n", "@RetryingTest(3) void a() {}\n"),
        ("pom.xml", "<a/>\n", "<rerunFailingTestsCount>2</rerunFailingTestsCount>\n"),
        (".config/nextest.toml", "", "[profile.default]\nretries = 2\n"),
        ("tests/test_a.py", TEST, TEST + "    try:\n        assert x\n    except AssertionError:\n        pass\n"),
        ("tests/test_a.py", TEST, TEST + "    with contextlib.suppress(AssertionError):\n        assert x\n"),
        ("tests/test_a.py", TEST, "def test_a():\n    assert pick() == 'ab'\n"),
        ("tests/test_a.py", TEST, TEST.replace("    assert pick() !=", "    # assert pick() !=")),
        ("a.test.js", "expect(a).toBe(1)\nexpect(b).toBe(2)\n", "expect(a).toBe(1)\n"),
    ],
)
def test_what_makes_a_failure_go_unseen_is_found(path: str, before: str, now: str) -> None:
    assert [found for found, _ in find_evasions({path: (before, now)})] == [path]


@pytest.mark.parametrize(
    ("path", "before", "now"),
    [
        ("tests/test_a.py", TEST, TEST.replace("pick()", "sorted(pick())")),
        ("tests/test_a.py", TEST, TEST + "    assert more\n"),
        ("tests/test_a.py", "@pytest.mark.flaky\n" + TEST, "@pytest.mark.flaky\n" + TEST.replace("ab", "cd")),
        ("tests/test_a.py", "@pytest.mark.flaky\n" + TEST, TEST),
        ("tests/test_a.py", TEST, TEST + "# it was flaky, with reruns=3\n"),
        (
            "words.py",
            "def a():\n    assert x\n",
            "def a():\n    try:\n        b()\n    except Exception:\n        c()\n",
        ),
        ("tests/test_new.py", "", TEST),
    ],
)
def test_honest_steadying_is_left_alone(path: str, before: str, now: str) -> None:
    assert find_evasions({path: (before, now)}) == ()


@pytest.mark.parametrize(
    ("path", "now", "settings", "certain"),
    [
        ("package.json", '{"mocha": {"retries": 8}}', True, True),
        ("playwright.config.ts", "export default { retries: 2 }", True, True),
        ("playwright.config.ts", "export default { retries: 0 }", True, False),
        ("playwright.config.ts", "export default { retries: process.env.CI ? 2 : 0 }", True, False),  # as it is made
        ("tests/conftest.py", "import pytest\npytestmark = pytest.mark.flaky(reruns=3)\n", False, True),
        ("tests/conftest.py", "def wait_until(check, retries=20):\n    pass\n", False, False),  # for a server
        ("tests/conftest.py", "client = Client(retries=3)\n", False, False),
    ],
)
def test_retries_are_certain_by_the_names_of_tools_and_in_settings_by_a_number(
    path: str, now: str, settings: bool, certain: bool
) -> None:
    assert is_certain_retry("", now, path, settings=settings) is certain


def test_waiting_longer_is_shown_and_refuses_nothing() -> None:
    texts = {
        "tests/test_a.py": (TEST, "import time\n\n\n" + TEST.replace("    assert", "    time.sleep(1)\n    assert", 1))
    }
    assert find_waits(texts) == ("tests/test_a.py",) and find_evasions(texts) == ()
