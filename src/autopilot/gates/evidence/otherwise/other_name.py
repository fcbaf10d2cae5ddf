"""Does the product know its input by the name of the file? Under another name the same contents mean the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from autopilot.gates.evidence.sabotage import Trial, is_usable, speaks_of_behaviour
from autopilot.gates.evidence.test_id import some
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, TestReport

_ENDINGS = (".txt", ".log", ".csv", ".tsv", ".json", ".xml", ".yaml", ".yml", ".dat", ".md", ".bin", ".html")
# Names that programs look for, and names that say something by their form.
_KNOWN = re.compile(
    r"(?:package|composer|manifest|schema|index|main|default|settings?|config\w*|ts-?config|app|readme|changelog|license|"
    r"requirements|conftest|data|input|output|expected)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]{3,40}(?:[_-][a-z]{2,40}){0,4}")
_LISTS = re.compile(
    r"\bglob\b|\blistdir\b|\biterdir\b|\bscandir\b|readdir|\bwalk\(|Dir\[|Dir\.(?:glob|children|each)|ReadDir|read_dir|/\*\."
)
_SEPARATORS = re.compile(r"[^\w.-]+")


def spelled_names(texts: Sequence[str]) -> frozenset[str]:
    """What may be names of files in them. To look for each file of a project in every text takes hours."""
    return frozenset(word.strip(".") for text in texts for word in _SEPARATORS.split(text))


def other_names(paths: Collection[str], texts: Sequence[str], spared: str, letters: Iterator[str]) -> dict[str, str]:
    """``texts``: tests and commands; ``spared``: code that was there and the user's words, which may know a file by its
    name. Where tests list folders, another file in one of them would be one too many."""
    spelled = "\n".join(texts)
    if _LISTS.search(spelled):
        return {}
    found: dict[str, str] = {}
    for path in sorted(paths):
        name, stem = PurePosixPath(path).name, PurePosixPath(path).stem
        is_plain = path.endswith(_ENDINGS) and _WORD.fullmatch(stem) and not _KNOWN.match(stem)
        rest = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w.-])", " ", spelled)
        is_spoken_of = re.search(rf"(?<![\w./]){re.escape(stem)}(?![\w.])", rest) is not None
        if is_plain and rest != spelled and name not in spared and not is_spoken_of:
            middle = len(stem) // 2
            found[path] = str(PurePosixPath(path).with_stem(stem[:middle] + next(letters) + stem[middle:]))
    return found


def spell_otherwise(text: str, names: Mapping[str, str]) -> str:
    for path, other in names.items():
        old, new = PurePosixPath(path).name, PurePosixPath(other).name
        text = re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w.-])", new, text)
    return text


def judge_other_name(
    subject: str, green: TestReport | None, trial: Trial, names: Mapping[str, str]
) -> tuple[Objection, ...]:
    """What could not be loaded, or misses a file, says nothing."""
    if trial.seen is not Seen.FAILED:
        return ()
    failing: list[str] = []
    if green is not None and is_usable(green):
        if trial.report is None or not is_usable(trial.report):
            return ()
        passed = green.of(Ended.PASSED)
        failing = [
            r.id for r in trial.report.results if r.ended is Ended.FAILED and r.id in passed and speaks_of_behaviour(r)
        ]
        if not failing:
            return ()
    path, other = next(iter(names.items()))
    which = f": {some(failing)}" if failing else ""
    observed = (
        f"it knows its input by the name of the file: with the same contents in {other} beside {path} it fails{which}"
    )
    satisfy = "let the answer depend on what the file holds; what its name means, say in the roadmap or the plan"
    return (Objection(Layer.HELD_OUT, subject, observed, path, satisfy, Weight.REFUSE),)
