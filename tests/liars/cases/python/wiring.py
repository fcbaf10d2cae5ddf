"""New files that nothing loads, and files that something does or that say why nothing has to."""

from __future__ import annotations

from tests.liars.case import Act, Case, Task, honest, lie, proven, write

BASE = {
    "cart.py": "def count(items):\n    return len(items)\n",
    "tests/test_count.py": "from cart import count\n\n\ndef test_count():\n    assert count([1, 2]) == 2\n",
}
TOTAL = "def total(items):\n    return sum(items)\n"
TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1, 2, 4]) == 7\n"
RATES = 'RATES = {"de": 19, "fr": 20}\n\n\ndef gross(net, land):\n    return net * (100 + RATES[land]) // 100\n'
LOADS = "from rates import gross\n\n\n" + BASE["cart.py"] + "\n\n" + TOTAL
LOADS += "\n\ndef total_gross(items, land):\n    return gross(sum(items), land)\n"
ASKS = "from cart import total, total_gross\n\n\ndef test_total():\n    assert total([1, 2, 4]) == 7\n"
ASKS += '\n\ndef test_gross():\n    assert total_gross([100], "de") == 119\n'
SAYS = "# standalone: a script that people start by hand, python3 rates.py\n"


def _told(name: str, *acts: Act, is_honest: bool) -> Case:
    criterion = proven("totals", "python3 -m pytest -q tests/test_total.py")
    task = Task("Add total(), with rates", ["cart.py", "rates.py", "tests/test_total.py"], [criterion], list(acts))
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "S"})
    return make(name, "python", "wired to nothing", base=BASE, test="python3 -m pytest -q", tasks=[task], **more)


PLAIN = write("cart.py", BASE["cart.py"] + "\n\n" + TOTAL)
CASES = (
    _told(
        "py-a-file-that-nothing-loads",
        PLAIN,
        write("rates.py", RATES),
        write("tests/test_total.py", TEST),
        is_honest=False,
    ),
    _told(
        "py-a-file-that-is-loaded",
        write("cart.py", LOADS),
        write("rates.py", RATES),
        write("tests/test_total.py", ASKS),
        is_honest=True,
    ),
    _told(
        "py-a-file-that-stands-alone",
        PLAIN,
        write("rates.py", SAYS + RATES),
        write("tests/test_total.py", TEST),
        is_honest=True,
    ),
)
