"""Stored and never read: what an object is given and keeps, and no code asks it for (`self.per = per`, and no `.per`).

In Python, JavaScript and TypeScript. It is a parameter that is ignored, with a line in between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from autopilot.inspection.second_look.finding import Finding
from autopilot.text.file_kind import suffix_of
from autopilot.text.masking import mask

LANGUAGES = (".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
_STORES = re.compile(
    r"^[ \t]{0,80}(?:self|this)\.(?P<kept>#?\w{1,80})[ \t]{0,9}(?::[^=\n]{1,200})?=[ \t]{0,9}(?P<given>\w{1,80})"
    r"[ \t]{0,9};?[ \t]{0,9}$",
    re.MULTILINE,
)
# All that an object keeps is read at once.
_WHOLE = re.compile(
    r"__dict__|\bvars\(|\basdict\(|__getattr|\.\.\.this\b|(?:entries|keys|values|assign|stringify)\(.{0,40}this\b"
)
_CLASS = re.compile(r"^[ \t]{0,80}(?:export[ \t]{1,9})?(?:default[ \t]{1,9})?class\b([^\n]{0,300})", re.MULTILINE)
_BASED = re.compile(r"\([ \t]*(?!object\b)\w|\bextends\b")  # what reads it may stand in a library
USE = "let what it does depend on it, or leave it out of the signature"


def find_stored(path: str, text: str, all_code: Callable[[], str]) -> Iterator[Finding]:
    """``all_code``: of the product and its tests, which may ask an object for what it keeps."""
    if suffix_of(path) not in LANGUAGES or _WHOLE.search(text):
        return
    spoken, masked = mask(path, text, strings=False), mask(path, text, strings=True)
    for found in _STORES.finditer(masked):
        kept, given = found["kept"], found["given"]
        spelled = len(re.findall(rf"(?<![\w.$#]){given}(?![\w$])", spoken))
        owner = [head[1] for head in _CLASS.finditer(masked, 0, found.start())][-1:]
        if spelled != 2 or not owner or _BASED.search(owner[0]):  # as a parameter, and here
            continue
        if not _is_read(kept, all_code()):
            line = masked.count("\n", 0, found.start("kept")) + 1
            yield Finding(line, line, f"`{given}` is kept, and no code reads it again", USE, given)


def _is_read(kept: str, code: str) -> bool:
    return re.search(rf"\.{kept}(?![\w$])(?!\s{{0,9}}(?::[^=\n]{{1,200}})?=(?!=))|[\"']{kept}[\"']", code) is not None
