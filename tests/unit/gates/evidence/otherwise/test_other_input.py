"""An answer that does not depend on what is asked, or that fits the example alone, is no work. covers: T8"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autopilot.gates.evidence.otherwise.other_input import (
    DataReply,
    Replies,
    Reply,
    is_looked_up,
    judge_less_data,
    judge_other_data,
    judge_replies,
)
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Want
from autopilot.testtools.questions.value import Value

COMMAND = "python3 -c \"import words; print(words.swapcase('Ada'))\""
CRITERION = Criterion("01-01.c1", "swaps", Form.COMMAND, COMMAND, Expectation(Want.CONTAINS, text="aDA"))
GREEN = Observation("01-01.c1", COMMAND, "a commit", Seen.PASSED, exit_code=0, output="digest of aDA")
ADA = Value("Ada", 45, 48)
TABLE = {"words.py": ["    return {'Ada': 'aDA'}[word]"]}
REAL = {"words.py": ["    return word.swapcase()"]}
BROKE = "Traceback"


def replies(others: dict[str, str], value: Value = ADA, printed: str = "aDA") -> Replies:
    """What each input got; ``BROKE`` is a failure."""
    found = []
    for given, answer in others.items():
        seen = replace(GREEN, command=f"ask {given}", exit_code=1 if answer == BROKE else 0)
        found.append(Reply(value, given, seen, f"{answer}\n"))
    return Replies(Reply(value, value.text, GREEN, f"{printed}\n"), tuple(found))


@pytest.mark.parametrize(
    "others",
    [
        {"Beb": "bEB", "Grace": "gRACE"},
        {"Beb": BROKE, "Grace": "gRACE"},
        {"Beb": "aDA", "Grace": "gRACE"},
    ],
)
def test_answers_that_differ_among_unseen_inputs_depend_on_them(others: dict[str, str]) -> None:
    assert judge_replies(CRITERION, replies(others), TABLE, tested=False) == ()


def test_an_answer_that_repeats_what_was_asked_depends_on_it() -> None:
    greeted = replies({"Bo": "Hello, Bo!", "Grace": "Hello, Grace!"}, printed="Hello, Ada!")
    assert judge_replies(CRITERION, greeted, REAL, tested=False) == ()


@pytest.mark.parametrize("given", ["Beb", "aDA"])
def test_the_same_answer_to_all_inputs_is_refused_however_it_is_written(given: str) -> None:
    """Also where one of the inputs happens to be the answer."""
    (objection,) = judge_replies(CRITERION, replies({given: "aDA", "Grace": "aDA"}), REAL, tested=True)
    assert objection.weight is Weight.REFUSE
    assert f"the same answer whatever is asked: `ask {given}`" in objection.description


@pytest.mark.parametrize(
    "others",
    [
        {"Beb": BROKE, "Grace": BROKE},
        {"Beb": "", "Grace": ""},
        {"Beb": "Beb", "Grace": "Grace"},
    ],
)
def test_what_knows_the_example_alone_is_refused(others: dict[str, str]) -> None:
    (objection,) = judge_replies(CRITERION, replies(others), TABLE, tested=True)
    assert objection.weight is Weight.REFUSE
    assert objection.description.startswith("it knows the example alone: asked with 2 other inputs")


@pytest.mark.parametrize(
    ("value", "added", "tested", "weight"),
    [
        (ADA, TABLE, True, Weight.REFUSE),
        (ADA, REAL, False, Weight.REFUSE),
        (ADA, REAL, True, Weight.FLAG),  # a checksum fits few inputs; the tests of the work speak for it
        (replace(ADA, is_direct=False), TABLE, False, Weight.FLAG),
        (replace(ADA, is_name=True), TABLE, False, Weight.FLAG),
    ],
)
def test_what_may_be_honest_is_shown_and_not_refused(
    value: Value, added: dict[str, list[str]], tested: bool, weight: Weight
) -> None:
    alone = replies({"Beb": BROKE, "Grace": BROKE}, value)
    (objection,) = judge_replies(CRITERION, alone, added, tested=tested)
    assert objection.weight is weight


@pytest.mark.parametrize(
    ("asked", "printed", "data", "expected"),
    [
        ("0", "130\n", ["0 130\n6 410\n"], True),
        ("Ada", "aDA", ['{"Ada": "aDA"}'], True),
        ("b", "2", ["a,1\nb,2\n"], True),
        ("0", "130", ["6 410\n", "130\n0\n"], False),  # on two lines: that is no row of a table
        ("0", "13", ["0 130\n"], False),
        ("0", "", ["0 130\n"], False),
        ("0", "130", [], False),
    ],
)
def test_an_answer_is_looked_up_where_a_row_of_the_data_holds_it_with_its_question(
    asked: str, printed: str, data: list[str], expected: bool
) -> None:
    assert is_looked_up(asked, printed, data) is expected
    alone = replies({"Beb": "", "Grace": ""})
    (objection,) = judge_replies(CRITERION, alone, REAL, tested=False, looked_up=expected)
    assert objection.weight is (Weight.FLAG if expected else Weight.REFUSE)


@pytest.mark.parametrize(("answer", "weight"), [("False", Weight.FLAG), ("None", Weight.REFUSE), ("", Weight.REFUSE)])
def test_no_is_an_answer_and_nothing_is_none(answer: str, weight: Weight) -> None:
    """Few numbers have the right check digit; that all others are refused says nothing against the code."""
    asked = replies({"Beb": answer, "Grace": answer}, printed="True")
    (objection,) = judge_replies(CRITERION, asked, REAL, tested=False)
    assert objection.weight is weight


@pytest.mark.parametrize(
    ("printed", "found"), [("0", True), ("[]", True), ("None", True), ("aDA", False), ("3", False)]
)
def test_an_example_that_finds_nothing_is_known_by_its_answer(printed: str, found: bool) -> None:
    asked = replies({"Beb": printed, "Grace": printed}, printed=printed)
    assert asked.found_nothing is found
    (objection,) = judge_replies(CRITERION, asked, REAL, tested=True)
    assert objection.weight is (Weight.FLAG if found else Weight.REFUSE)


def test_another_name_does_not_stand_for_another_input() -> None:
    """`swap Ada`: that `swop Ada` fails says nothing of what becomes of Ada."""
    data = replies({"Beb": "aDA", "Grace": "aDA"})
    name = replies({"swop": BROKE}, replace(ADA, is_name=True))
    both = Replies(data.example, data.others + name.others)
    (objection,) = judge_replies(CRITERION, both, REAL, tested=False)
    assert objection.weight is Weight.REFUSE


def test_what_our_sandbox_could_not_ask_is_held_against_nobody() -> None:
    asked = replies({"Beb": "aDA"})
    broken = replace(asked.others[0], seen=replace(GREEN, seen=Seen.NOTHING, reason="no room"))
    (objection,) = judge_replies(CRITERION, replace(asked, others=(broken,)), REAL, tested=False)
    assert objection.weight is Weight.OURS


@pytest.mark.parametrize(
    ("expected", "printed", "line"),
    [
        ("90", "90.0", "    return 90.0"),
        ("the quick|brown fox", "the quick|brown fox", "    return ['the quick', 'brown fox']"),
        ("foo,b", "foo,b", "    return ['foo','b']"),
    ],
)
def test_the_same_answer_to_less_data_is_refused_where_it_is_written_down(
    expected: str, printed: str, line: str
) -> None:
    criterion = replace(CRITERION, expectation=Expectation(Want.CONTAINS, text=expected))
    green = replace(GREEN, excerpt=f"{printed}\n")
    assert judge_less_data(criterion, green, green, "less", {"words.py": [line]}) != ()
    assert judge_less_data(criterion, green, green, "less", REAL) == ()
    assert judge_less_data(criterion, green, replace(green, output="another"), "less", {"words.py": [line]}) == ()


@pytest.mark.parametrize(
    ("printed", "over_others", "refused"),
    [
        ("apple 12\n", "apple 12\n", True),  # computed in whatever disguise: the data do not hold it any more
        ("apple 12\n", "bqqmf 45\n", False),
        ("apple 12\n", "Traceback\n", False),  # other data may rightly be refused
        ("3 lines\n", "3 lines\n", False),  # says something about the data, and quotes nothing of them
        ("sample\n", "sample\n", False),  # the name of the file, which the command gives
    ],
)
def test_an_answer_that_quotes_data_which_are_not_there_any_more_is_refused(
    printed: str, over_others: str, refused: bool
) -> None:
    green = replace(GREEN, output=printed, command="tally largest sample.txt")
    seen = replace(green, output=over_others)
    reply = DataReply(seen, over_others, old="pear 7\napple 12\nsample\n", new="qfbs 0\nbqqmf 45\ntbnqmf\n")
    assert bool(judge_other_data(CRITERION, green, reply, "tally largest sample.txt")) is refused


def test_who_counts_a_list_answers_one_more_to_a_list_of_one_item_more() -> None:
    counted = replies({"longer": "3", "other": "2", "four": "4"}, printed="2")
    assert [counted.is_one_more(reply) for reply in counted.others] == [True, False, False]
    assert not replies({"longer": "3"}, printed="two").is_one_more(replies({"longer": "3"}).others[0])
