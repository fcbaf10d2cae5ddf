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
    """Names of the same length, which stand at the same place among others: tables and lists keep their look.

    ``texts``: tests and commands; ``spared``: code that was there and the user's words, which may know a file by its
    name. Where tests list folders, another file in one of them would be one too many."""
    spelled = "\n".join(texts)
    if _LISTS.search(spelled):
        return {}
    rest, stems, found = spelled, dict[str, str](), dict[str, str]()
    for path in paths:
        rest = _name_of(path).sub(" ", rest)
    for path in sorted(paths):
        name, stem = PurePosixPath(path).name, PurePosixPath(path).stem
        is_plain = path.endswith(_ENDINGS) and _WORD.fullmatch(stem) and not _KNOWN.match(stem)
        # What is made of it may bear its name: `sales.csv` becomes `sales.json`.
        is_spoken_of = re.search(rf"(?<!\w){re.escape(stem)}(?!\w)", rest) is not None
        if is_plain and _name_of(path).search(spelled) and name not in spared and not is_spoken_of:
            # The same name for the same: `good/order.json` and `bad/order.json`.
            found[path] = str(PurePosixPath(path).with_stem(stems.setdefault(stem, _renamed(stem, letters))))
    return found


def _renamed(stem: str, letters: Iterator[str]) -> str:
    """``letters``: two at a time."""
    middle = max(1, len(stem) // 2 - 1)
    return next(n for two in letters if (n := stem[:middle] + two + stem[middle + 2 :]) != stem)


def _name_of(path: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(PurePosixPath(path).name)}(?![\w.-])")


def spell_otherwise(text: str, names: Mapping[str, str]) -> str:
    for path, other in names.items():
        text = _name_of(path).sub(PurePosixPath(other).name, text)
    return text


def fails_by_name(green: TestReport | None, trial: Trial) -> list[str] | None:
    """The tests that fail, none of a command without a report; None where nothing does. What could not be loaded, or
    misses a file, says nothing."""
    if trial.seen is not Seen.FAILED:
        return None
    if green is None or not is_usable(green):
        return []
    if trial.report is None or not is_usable(trial.report):
        return None
    passed, failed = green.of(Ended.PASSED), [r for r in trial.report.results if r.ended is Ended.FAILED]
    return [result.id for result in failed if result.id in passed and speaks_of_behaviour(result)] or None


def judge_other_name(
    subject: str, green: TestReport | None, trials: Sequence[Trial], names: Mapping[str, str], opened: Collection[str]
) -> tuple[Objection, ...]:
    """``trials``: with copies, and with the files themselves under the other names; where a program lists a folder, a
    copy is one too many. ``opened``: by the run with copies, where tests and commands say the other names. What is
    opened by the first then the product keeps itself, as its own list."""
    found = [fails_by_name(green, trial) for trial in trials]
    if not found or None in found:
        return ()
    failing = found[0] or []
    path, other = next(iter(names.items()))
    which = f": {some(failing)}" if failing else ""
    observed = (
        f"it knows its input by the name of the file: with the same contents in {other} beside {path} it fails{which}"
    )
    satisfy = "let the answer depend on what the file holds; what its name means, say in the roadmap or the plan"
    weight = Weight.REFUSE if names.keys().isdisjoint(opened) else Weight.FLAG
    return (Objection(Layer.HELD_OUT, subject, observed, path, satisfy, weight),)
