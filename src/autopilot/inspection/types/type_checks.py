"""Checks by code of the protocols and data that a phase changed. They report and do not judge: the caller compares with
the base, so that only new breakage counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from autopilot.inspection.types.data_files import parse_data, schema_of
from autopilot.inspection.types.json_blocks import contracts, json_blocks
from autopilot.inspection.types.references import cross_references
from autopilot.model.evidence.checked import Checked
from autopilot.text.file_kind import is_data, is_ours, is_protocol

_PLACE = re.compile(r"^([^\n]*?):\d+: ")
_INDEX = re.compile(r"/\d+(?=[/ ])")


class TypeCheck(Struct, frozen=True):
    """One kind of check of some files. It is evidence that the check was made, whatever it found."""

    name: str
    files: tuple[str, ...]
    checked: Checked = Checked()

    def __str__(self) -> str:
        count = len(self.checked.findings)
        result = f"{count} finding{'s'[: count != 1]}" if count else "no findings"
        unseen = f", {len(self.checked.unseen)} not checked" if self.checked.unseen else ""
        return f"{self.name} of {len(self.files)} file{'s'[: len(self.files) != 1]} -> {result}{unseen}"


def check_files(
    files: Mapping[str, str], exists: Callable[[str], bool], read: Callable[[str], str | None]
) -> tuple[TypeCheck, ...]:
    """Every check that applies to these texts, by path; a check with no file to look at is not there.

    Give more than the changed files where it matters: a deleted file breaks the documents that name it, a changed
    schema the data that did not change, and a contract needs its other side.
    """
    wanted = {path: text for path, text in files.items() if not is_ours(path)}
    protocols = {path: text for path, text in wanted.items() if is_protocol(path)}
    data = {path: text for path, text in wanted.items() if is_data(path)}
    every = (
        _each("cross-references", protocols, lambda path, text: Checked(cross_references(path, text, exists))),
        _each("json-blocks", protocols, lambda path, text: Checked(json_blocks(path, text))),
        TypeCheck("contracts", tuple(protocols), Checked(contracts(protocols))),
        _each("data-parses", data, parse_data),
        _each("data-schema", data, lambda path, text: schema_of(path, text, read)),
    )
    return tuple(check for check in every if check.files)


def new_findings(before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """What was not there before. Lines and list positions move when something is put in front, so they do not tell
    findings apart; how often one occurs does."""
    known = Counter(map(_key, before))
    fresh = []
    for finding in after:
        key = _key(finding)
        if known[key]:
            known[key] -= 1
        else:
            fresh.append(finding)
    return tuple(fresh)


def _each(name: str, files: Mapping[str, str], check: Callable[[str, str], Checked]) -> TypeCheck:
    checked = Checked()
    for path, text in files.items():
        checked += check(path, text)
    return TypeCheck(name, tuple(files), checked)


def _key(finding: str) -> str:
    return _INDEX.sub("/#", _PLACE.sub(r"\1: ", finding))
