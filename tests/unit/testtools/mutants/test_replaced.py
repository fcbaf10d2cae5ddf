"""What tests replace of the work itself fails in this mutant, and nothing else does. T8.M"""

from __future__ import annotations

import pytest

from autopilot.testtools.mutants.replaced import replaced_mutant

PRODUCT = b'''BASE = 4.9


def _steps(weight):
    """Kilograms begun."""
    return None


def cost(weight):
    return BASE + 1.5 * _steps(weight)


def load(path): return open(path).read()
'''


@pytest.mark.parametrize(
    "test",
    [
        'with mock.patch("shipping._steps", return_value=0): ...',
        "@patch('shop.shipping._steps')\ndef test(): ...",
        'mock.patch.object(shipping, "_steps", return_value=2)',
        'monkeypatch.setattr(shipping, "_steps", lambda weight: 2)',
        'monkeypatch.setattr("shipping._steps", lambda weight: 2)',
        'mocker.patch(\n    "shipping._steps",\n    return_value=2)',
    ],
)
def test_a_function_of_the_work_that_tests_replace_fails_at_once(test: str) -> None:
    replaced = replaced_mutant([test], {"shipping.py": (None, PRODUCT)})
    assert replaced is not None
    assert not replaced.has_effects
    text = replaced.mutant.edits["shipping.py"].decode()
    assert text == PRODUCT.decode().replace('    """Kilo', '    raise RuntimeError\n    """Kilo')
    with pytest.raises(RuntimeError):
        exec(compile(f"{text}\ncost(1)", "shipping.py", "exec"), {})


@pytest.mark.parametrize(
    "test",
    [
        "assert cost(1) == 4.9",
        'mock.patch("shipping.urlopen")',  # nothing that the work wrote
        'mock.patch("shipping.load")',  # on one line with its work: left alone
        'mock.patch("shipping.BASE", 5)',
    ],
)
def test_what_is_none_of_its_functions_is_left_alone(test: str) -> None:
    assert replaced_mutant([test], {"shipping.py": (None, PRODUCT), "notes.md": (None, b"def _steps")}) is None


def test_a_function_that_was_there_before_may_be_replaced() -> None:
    new = PRODUCT + b"\n\ndef more():\n    return cost(1)\n"
    assert replaced_mutant(['mock.patch("shipping._steps")'], {"shipping.py": (PRODUCT, new)}) is None


def test_modules_of_scripts_fail_when_they_are_loaded() -> None:
    changed = {"src/steps.ts": (None, b"export const steps = (n: number) => n;\n"), "src/cost.ts": (None, b"x")}
    replaced = replaced_mutant(["vi.mock('../src/steps', () => ({steps: () => 2}));"], changed)
    assert replaced is not None
    assert list(replaced.mutant.edits) == ["src/steps.ts"]
    assert replaced_mutant(["vi.mock('axios'); jest.mock('../src/other')"], changed) is None


def test_replacing_what_reaches_outside_is_usual() -> None:
    fetching = b"import requests\n\n\ndef fetch(url):\n    return requests.get(url).json()\n"
    replaced = replaced_mutant(['mock.patch("client.fetch")'], {"client.py": (None, fetching)})
    assert replaced is not None
    assert replaced.has_effects
