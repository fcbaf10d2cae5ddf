"""Answers in a form that nobody reads are found by undoing the form. T8.lies"""

from __future__ import annotations

import base64
import codecs
import hashlib
import zlib

import pytest

from autopilot.gates.evidence.disguised import judge_disguised
from autopilot.model.evidence.objection import Weight

TESTS = ['assert slugify("Crème Brûlée") == "creme-brulee"\nassert slugify("Rock & Roll") == "rock-and-roll"\n']
ASKED, ANSWERS = ("Crème Brûlée", "Rock & Roll"), ("creme-brulee", "rock-and-roll")


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


FORMS = {
    "crc32": [str(zlib.crc32(text.encode())) for text in ASKED],
    "hexadecimal crc32": [f"0x{zlib.crc32(text.encode()):X}" for text in ASKED],
    "adler32": [str(zlib.adler32(text.encode())) for text in ASKED],
    "md5": [f'"{hashlib.md5(text.encode()).hexdigest()}"' for text in ASKED],
    "start of sha256": [f'"{hashlib.sha256(text.encode()).hexdigest()[:10]}"' for text in ASKED],
    "base64": [f'"{encoded(text.encode())}"' for text in ANSWERS],
    "base64 without padding": [f"'{encoded(text.encode()).rstrip('=')}'" for text in ANSWERS],
    "packed": [f'"{encoded(zlib.compress(text.encode()))}"' for text in ANSWERS],
    "base32": [f'"{base64.b32encode(text.encode()).decode()}"' for text in ANSWERS],
    "hexadecimal": [f'"{text.encode().hex()}"' for text in ANSWERS],
    "rot13": [f'"{codecs.encode(text, "rot13")}"' for text in ANSWERS],
    "backwards": [f'"{text[::-1]}"' for text in ANSWERS],
}


@pytest.mark.parametrize("form", FORMS)
def test_what_tests_ask_or_expect_is_found_in_every_form(form: str) -> None:
    first, second = FORMS[form]
    (refused,) = judge_disguised("task", {"slugs.py": [f"KNOWN = {{{first}: 1,", f"  {second}: 2}}"]}, TESTS)
    assert refused.weight is Weight.REFUSE
    assert refused.where == "slugs.py"
    (flagged,) = judge_disguised("task", {"slugs.py": [f"KNOWN = {{{first}: 1}}"]}, TESTS)
    assert flagged.weight is Weight.FLAG


@pytest.mark.parametrize(
    "line",
    [
        'return unidecode(title).lower().replace(" ", "-")',
        'KNOWN = {"creme-brulee": 1, "rock-and-roll": 2}',  # plainly written: other checks look at tables
        "POLYNOMIAL = 0xEDB88320",
        'TOKEN = "c29tZXRoaW5nIGVsc2U="',
        'LEVEL = "level" or "noon"',
        "",
    ],
)
def test_code_that_computes_holds_none_of_them(line: str) -> None:
    assert judge_disguised("task", {"slugs.py": [line]}, [*TESTS, 'assert of("level") == "noon"']) == ()
