"""What decides over the equality of a class, whatever else of it changes. covers: T8"""

from __future__ import annotations

import pytest

from autopilot.text.python_tree import docstring_lines, equality_of

ORDER = "@dataclass\nclass Order:\n    number: int\n    total: int\n    made: str = field(compare=False)\n"


@pytest.mark.parametrize(
    ("new", "same"),
    [
        (ORDER + "    note: str = ''\n\n    def label(self):\n        return self.number\n", True),
        (ORDER.replace("total: int", "total: int  # in cents"), True),
        (ORDER.replace("total: int", "total: int = field(compare=False)"), False),
        (ORDER.replace("@dataclass", "@dataclass(eq=False)"), False),
        (ORDER + "\n    def __eq__(self, other):\n        return True\n", False),
        (ORDER.replace("class Order:", "class Order(Loose):"), False),
        (ORDER.replace("field(compare=False)", "field(compare=True)"), False),
    ],
)
def test_equality_is_what_compares_and_what_is_left_out(new: str, same: bool) -> None:
    assert (equality_of(ORDER, "Order") == equality_of(new, "Order")) is same


def test_a_class_without_a_word_on_equality_is_told_from_none() -> None:
    assert equality_of("class A:\n    pass\n", "A") and not equality_of("class A:\n    pass\n", "B")
    assert equality_of("class A(:\n", "A") == ""


def test_lines_of_docstrings_are_known_and_other_texts_are_none() -> None:
    text = '"""One."""\ndef f():\n    """Two\n    three."""\n    "four"\n    return "five"\n'
    assert docstring_lines(text) == {1, 3, 4}
    assert docstring_lines("def (") == frozenset()
