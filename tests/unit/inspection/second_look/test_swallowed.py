"""A test that cannot fail is refused, in every language it is written in here. T8.L, T8.lies"""

from __future__ import annotations

import pytest

from autopilot.inspection.second_look.look import refuse_swallowed
from autopilot.model.evidence.objection import Weight

SILENT = {
    "test_a.py": (
        "def test_a():\n    try:\n        assert f(1) == 2\n    except Exception as error:\n        print(error)\n"
    ),
    "test_b.py": (
        "class T(TestCase):\n"
        "    def test(self):\n"
        "        try:\n"
        "            self.assertEqual(f(1), 2)\n"
        "        except:\n"
        "            pass\n"
    ),
    "test_c.py": (
        "def test_a():\n"
        "    for n in (1, 2):\n"
        "        try:\n"
        "            assert f(n)\n"
        "        except (ValueError, AssertionError):\n"
        "            continue\n"
    ),
    "a.test.js": (
        "test('a', () => {\n"
        "  try {\n"
        "    assert.equal(f(1), 2);\n"
        "  } catch (error) {\n"
        "    console.log(error);\n"
        "  }\n"
        "});\n"
    ),
    "a.test.ts": ("test('a', () => { try { expect(f(1)).toBe(2); } catch {} });\n"),
    "a.bats": (
        '@test "a" {\n  f\n  run test -s out\n}\n@test "b" {\n  run grep x out\n  run other\n  [ "$status" -eq 0 ]\n}\n'
    ),
}
HEARD = {
    "test_a.py": ("def test_a():\n    try:\n        f(1)\n    except Exception:\n        pass\n    assert g() == 2\n"),
    "test_b.py": (
        "def test_a():\n    try:\n        f(1)\n        assert False\n    except ValueError:\n        pass\n"
    ),
    "test_c.py": (
        "def test_a():\n"
        "    for _ in range(9):\n"
        "        try:\n"
        "            assert f()\n"
        "            break\n"
        "        except AssertionError:\n"
        "            sleep(1)\n"
        "    else:\n"
        "        pytest.fail('never')\n"
    ),
    "test_d.py": (
        "def test_a():\n    try:\n        assert f()\n    except Exception as error:\n        raise Failed from error\n"
    ),
    "test_e.py": (
        "def check():\n    try:\n        assert f()\n    except AssertionError as error:\n        found.append(error)\n"
    ),
    "a.test.js": (
        "test('a', () => { try { f(); assert.fail(); } catch (error) { assert.match(error.message, /x/); } });\n"
    ),
    "b.test.js": ("test('a', () => { try { f(); } finally { expect(g()).toBe(1); } });\n"),
    "a.bats": (
        '@test "a" {\n  run grep x out\n  [ "$status" -eq 1 ]\n}\n@test "b" {\n  run test -s out\n  assert_success\n}\n'
    ),
    "a_test.go": ("package a\n"),
}


@pytest.mark.parametrize("path", SILENT)
def test_an_assertion_that_is_swallowed_is_refused(path: str) -> None:
    (refused,) = refuse_swallowed(path, None, SILENT[path])[:1]
    assert refused.weight is Weight.REFUSE
    assert refused.where.startswith(f"{path}:")
    assert refuse_swallowed(path, SILENT[path], SILENT[path]) == ()  # it was there before


@pytest.mark.parametrize("path", HEARD)
def test_an_assertion_that_ends_its_test_is_not(path: str) -> None:
    assert refuse_swallowed(path, None, HEARD[path]) == ()
