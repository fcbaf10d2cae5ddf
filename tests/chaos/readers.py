"""Everything that reads a text of strangers, texts for it, and what one reading cost."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from types import FrameType

import msgspec
from msgspec import Struct

from autopilot.adapters.forge.addresses import repository_at
from autopilot.adapters.forge.gitea import GiteaDialect
from autopilot.api.chat.marking import read_mark
from autopilot.api.chat.status_line import add_status_line, parse_settings
from autopilot.api.machine.packages import find_family
from autopilot.gates.evidence.declared import covers, declared_by
from autopilot.gates.evidence.test_id import settle
from autopilot.inspection.control.mixed import steering_part
from autopilot.inspection.control.rust_tests import inline_tests
from autopilot.inspection.second_look.patterns import find_patterns
from autopilot.inspection.second_look.swallowed import find_swallowed
from autopilot.inspection.second_look.unfinished import find_unfinished
from autopilot.inspection.steadying import find_evasions
from autopilot.inspection.types.data_files import parse_data
from autopilot.inspection.types.loose_json import parse_loose
from autopilot.inspection.types.references import cross_references
from autopilot.inspection.visual.baseline import parse_pins
from autopilot.inspection.visual.png import NotAPicture, check_png
from autopilot.model.assessment import Verification
from autopilot.model.errors import AutopilotError
from autopilot.model.planning.outline import Proven
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.config.config import parse_config, set_commands
from autopilot.planning.detecting.packages import find_packages
from autopilot.planning.examples.owner import read_owners
from autopilot.planning.examples.reading import find_examples
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.marking import apply_edits
from autopilot.planning.formats.reading import readable
from autopilot.planning.formats.registry import FORMATS
from autopilot.planning.gaps.deficiencies import read_diagnostic, read_judge_report, read_scorecard, read_verification
from autopilot.planning.issue.acceptance import find_criteria, parse_tests
from autopilot.planning.issue.audit_log import parse_log
from autopilot.planning.issue.folder import parse_issue
from autopilot.planning.issue.hunks import parse_hunks
from autopilot.planning.issue.json_lines import read_object
from autopilot.planning.issue.points import cut_points
from autopilot.planning.issue.rejection import split_rejection
from autopilot.planning.people.answers import parse_answers
from autopilot.planning.people.context_map import read_context_map
from autopilot.planning.people.scope import split_deferred
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.plan.plan import parse_plan
from autopilot.planning.plan.task_block import parse_attributes
from autopilot.planning.release.rules import find_rules
from autopilot.planning.release.version import find_versions
from autopilot.planning.roadmap.milestones import read_course, read_title
from autopilot.planning.roadmap.roadmap import read_roadmap
from autopilot.planning.roadmap.standing.position import parse_position
from autopilot.planning.spec.absences import read_absences
from autopilot.planning.spec.clauses import named_documents, read_clauses, unasked
from autopilot.planning.spec.speaking import asks_as_promised, single_tests
from autopilot.planning.spec.spec import parse_requirements, spec_hash
from autopilot.planning.takeover.state_file import parse_state_file, run_named
from autopilot.ports.reply import read_reply
from autopilot.repomap.python_reading import read_python
from autopilot.repomap.words import identifiers, split_name, telling_stems
from autopilot.reports.ci.remarks import find_place
from autopilot.testtools.calls.recorded import read_recorded
from autopilot.testtools.formats.printed import read_printed
from autopilot.testtools.mutants.replaced import replaced_mutant
from autopilot.testtools.mutants.slight import slight_mutants
from autopilot.testtools.registry import PACKS
from autopilot.text.frontmatter import parse_frontmatter
from autopilot.text.shell import cannot_fail
from autopilot.text.shell_tokens import read_shell
from autopilot.text.toml_span import strings
from autopilot.web.markdown import render_markdown
from autopilot.web.views.diff import parse_patch
from tests.tidy.house import ROOT

_MANIFESTS = (
    *("pyproject.toml", "package.json", "Makefile", "justfile", "setup.py", "setup.cfg", "tox.ini", "noxfile.py"),
    *(".github/workflows/ci.yml", ".travis.yml", "README.md", "requirements.txt", "tests/test_one.py"),
)
Read = Callable[[str], object]
_NO = Commands()
CODE = ("a.py", "a.ts", "a.go", "a.rs", "a.sh", "a.rb")


def code_file(text: str) -> str:
    """One language for a text: each has its own parser with its own time."""
    return CODE[len(text) % len(CODE)]


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def read_picture(text: str) -> None:
    with suppress(NotAPicture):
        check_png(b"\x89PNG\r\n\x1a\n" + encoded(text))


READERS: dict[str, Read] = {
    "roadmap": lambda text: read_roadmap(text, "ROADMAP.md"),
    "state of a project": parse_position,
    "plan": lambda text: parse_plan(text, "PLAN.md", PhaseId("1"), _NO),
    "task": lambda text: parse_plan(f"<task>\n<verify>{text}</verify>\n</task>", "PLAN.md", PhaseId("1"), _NO),
    "attributes of a task": parse_attributes,
    "files of a task": lambda text: [covers(one, text) for one in declared_by(Task("1", text, (text,), text))],
    "glob": lambda text: covers(text[:40], text),
    "criterion": lambda text: parse_criterion(text, "c", 1, _NO),
    "spec": lambda text: (parse_requirements(text), spec_hash(text)),
    "examples of a spec": lambda text: (find_examples(text), read_owners(text)),
    "config": lambda text: (parse_config(text, "config.json"), set_commands(text, _NO)),
    "manifests": lambda text: find_packages(dict.fromkeys(_MANIFESTS, text)),
    "versions": lambda text: find_versions(dict.fromkeys(("package.json", "pyproject.toml", "VERSION"), text)),
    "rules of releases": find_rules,
    "frontmatter": parse_frontmatter,
    "toml": lambda text: list(strings(text)),
    "json lines": lambda text: [read_object(line) for line in text.split("\n")],
    "context map": read_context_map,
    "answers": lambda text: parse_answers(text, "answers.md"),
    "scorecard": lambda text: read_scorecard(text, 9.0),
    "diagnostic": read_diagnostic,
    "judge's report": read_judge_report,
    "verification": read_verification,
    "issue": parse_issue,
    "acceptance tests": lambda text: (find_criteria(text), parse_tests(text)),
    "audit log": parse_log,
    "rejection": split_rejection,
    "diff": parse_hunks,
    "reply": lambda text: read_reply(text, Verification),
    "shell": cannot_fail,
    "shell tokens": read_shell,
    "mixed file: make": lambda text: steering_part("Makefile", text),
    "mixed file: npm": lambda text: steering_part("package.json", text),
    "mixed file: python": lambda text: steering_part("pyproject.toml", text),
    "mixed file: gradle": lambda text: steering_part("build.gradle", text),
    "mixed file: maven": lambda text: steering_part("pom.xml", text),
    "rust": inline_tests,
    "second look: js": lambda text: list(find_patterns("a.ts", text)),
    "second look: ruby": lambda text: list(find_patterns("a.rb", text)),
    "evasions": lambda text: find_evasions({"tests/test_a.py": ("", text)}),
    "data: json": lambda text: parse_data("a.json", text),
    "data: toml": lambda text: parse_data("a.toml", text),
    "data: json lines": lambda text: parse_data("a.jsonl", text),
    "json in prose": parse_loose,
    "references": lambda text: cross_references("docs/a.md", text, lambda _: False),
    "id of a test": settle,
    "printed results": read_printed,
    "clauses": lambda text: (
        unasked(read_clauses(text.split("\n")), [text]),
        named_documents([text]),
        read_absences(text),
        [asks_as_promised(text[:400], each) for each in single_tests(text)],
    ),
    "milestones": lambda text: [read_title(line) or read_course(line) for line in text.split("\n")],
    "state file": lambda text: (
        parse_state_file(text.encode("utf-8", "replace"), "state.json"),
        run_named(text.encode("utf-8", "replace")),
    ),
    "pins of pictures": lambda text: parse_pins(text.encode("utf-8", "replace")),
    "picture": read_picture,
    "recorded calls": lambda text: read_recorded(
        f'{{"call": "f", "near": false, "inputs": [{text}], "how": "value"}}\n{text}'
    ),
    "swallowed": lambda text: list(find_swallowed(code_file(text), encoded(text).decode())),
    "unfinished": lambda text: list(find_unfinished(code_file(text), encoded(text).decode())),
    "slight mutants": lambda text: slight_mutants(
        {code_file(text): (b"", encoded(text))}, {code_file(text): range(1, text.count("\n") + 2)}, "1"
    ),
    "replaced mutant": lambda text: replaced_mutant([text], {code_file(text): (b"", encoded(text))}),
    "words of a name": lambda text: (telling_stems(text), list(identifiers(text)), split_name(text)),
    "map of python": lambda text: read_python(encoded(text), text.count("\n") + 1),
    "place in a message": find_place,
    "place of a repository": lambda text: repository_at(text, "git.example.org"),
    "forge's answer": lambda text: GiteaDialect("https://git.example.org", "o/r").read_proposals(encoded(text), "b"),
    "settings of a chat": lambda text: add_status_line(parse_settings(encoded(text), "settings.json")),
    "mark of an installed file": lambda text: read_mark(encoded(text)),
    "diff of the page": lambda text: list(parse_patch(text)),
    "document of the page": render_markdown,
    "distribution": find_family,
    "deferred ideas": split_deferred,
    "points of an issue": cut_points,
}
# Files of other planning tools, by the format that reads them, with what stands before the text of a stranger.
PLANNED = {
    "spec-kit": {"specs/001-x/spec.md": "", "specs/001-x/tasks.md": ""},
    "openspec": {"openspec/changes/x/" + name: "" for name in ("proposal.md", "tasks.md", "specs/a/spec.md")},
    "task-master": {".taskmaster/tasks/tasks.json": "", ".taskmaster/state.json": ""},
    "backlog": {"backlog/config.yml": "", "backlog/tasks/task-1 - x.md": "---\nid: task-1\n---\n"},
    "kiro": {".kiro/specs/x/" + name: "" for name in ("requirements.md", "tasks.md")},
    "ralph": {"prd.json": ""},
    "fix-plan": {"fix_plan.md": ""},
    "checklist": {"TODO.md": ""},
}


def read_plans(format: Format, text: str) -> None:
    """Read, written down, marked, and looked at without its marks, as a run does all of them."""
    texts = readable({path: head + text for path, head in PLANNED[format.name].items()})
    made = format.read(texts, _NO)
    msgspec.json.encode(made)
    for phase in made.roadmap.phases[:2]:
        listed = made.listed.get(phase.id)
        tasks = frozenset(task.id for task in listed.plan.tasks) if listed else frozenset()
        apply_edits(texts, format.mark(texts, Proven(phase.id, tasks, "2026-01-01")))
    for path, whole in texts.items():
        format.neutral(path, whole)


READERS |= {f"plans: {format.name}": lambda text, format=format: read_plans(format, text) for format in FORMATS}
NAMES = ("1.json", "1.jsonl", "1.xml", "1.tap", "1-1.tap", "1.out", "1.err", "1.files", "1.where", "1-7.minitest")
READERS |= {
    f"report: {pack.name}": lambda text, pack=pack: pack.read(
        dict.fromkeys(NAMES, text.encode("utf-8", "replace")), text
    )
    for pack in PACKS
}
SEEDS_IN = ("src/autopilot/api/sample", "tests/scenario/data/harbour", "tests/unit/testtools/recorded")
SEEDS = (
    '{"project": {"commands": {"test": "pytest"}}, "autopilot": {"timeouts_s": {"test": 60}}}',
    "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@\n def f(a: int) -> int:\n-    return 1\n+    return 2\n",
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(1 + 1, 2); }\n}\n",
    "cd app && timeout 60 npm test 2>&1 | tail -5 || { echo FAIL; exit 1; }\n",
    "- [ ] AT-001 **Shout**: covers AC-1, AC-2 (`tests/test_a.py::test_a[1,2]`)\n",
    "- **REQ-01**: The tool prints a line -- verified by: `pytest -k a`, expect EXIT: 0 [new] (weight: 2)\n",
    '`shout("hi")` returns `"HI!"`\n>>> add(1, 2)\n3\n| call | result |\n|---|---|\n| f(1) | [1, {"a": 2}] |\n',
    'test:\n\tpytest -q\n.PHONY: test\n[tool.pytest.ini_options]\naddopts = "-q"\n<plugin>surefire</plugin>\n',
)
NASTY = (
    *"\0\udcff\u2028é✅`([{<\"'\\\t \n#|-*/",
    "**",
    "\r\n",
    "/*",
    "<!--",
    "```",
    "$(",
    "9" * 50,
    "a.",
    "::",
    ": ",
    "= ",
)
NASTY += ("e9", "NaN", "phase 1", "</task>")
SLOW_S = 2.0
LARGE_BYTES = 200 << 20


def seeds() -> tuple[str, ...]:
    files = [path for folder in SEEDS_IN for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files if path.stat().st_size < 40_000]
    return (*SEEDS, *texts)


def mutate(text: str, chance: Random) -> str:
    """Pieces cut out, doubled, or replaced by what readers trip over."""
    start = chance.randrange(max(1, len(text) - 3_000))
    text = text[start : start + 3_000] if chance.random() < 0.7 else text[:6_000]
    for _ in range(chance.randrange(1, 7)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 1, 3, 40, 400)))
        piece = chance.choice(
            (chance.choice(NASTY), text[start:end] * 2, chance.choice(NASTY) * chance.randrange(1, 60), "")
        )
        text = text[:start] + piece + text[end:]
    return text


def lengthen(text: str, chance: Random) -> str:
    """A piece of the text, or two things readers trip over, again and again, where the piece stood."""
    length = chance.choice((3_000, 8_000, 20_000))
    start = chance.randrange(len(text) + 1)
    own = text[start : start + chance.choice((1, 2, 5, 12, 40))]
    piece = chance.choice((own, own + chance.choice(NASTY), chance.choice(NASTY) + chance.choice(NASTY))) or " "
    return (
        text[max(0, start - 300) : start]
        + piece * (length // len(piece))
        + text[start : start + chance.choice((0, 300))]
    )


class Cost(Struct):
    """Of many readings: how many, and the worst of them."""

    readings: int = 0
    slowest_s: float = 0.0
    slowest: str = ""
    largest_bytes: int = 0
    largest: str = ""
    faults: list[str] = []

    def take(self, other: Cost) -> None:
        self.readings += other.readings
        self.faults += other.faults
        if other.slowest_s > self.slowest_s:
            self.slowest_s, self.slowest = other.slowest_s, other.slowest
        if other.largest_bytes > self.largest_bytes:
            self.largest_bytes, self.largest = other.largest_bytes, other.largest

    def __str__(self) -> str:
        slowest = f"slowest {self.slowest_s:.2f} s of computing ({self.slowest})"
        largest = f"largest {self.largest_bytes >> 20} MB ({self.largest})"
        return f"{self.readings:,} texts read: {slowest}, {largest}, {len(self.faults)} faults"


class _TakesForever(BaseException):
    pass


def _give_up(_: int, __: FrameType | None) -> None:
    raise _TakesForever


def read_all(texts: Iterator[tuple[str, str]]) -> Cost:
    """Read in a process of its own, so that what one takes of memory is not hidden by what others took before."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        with os.fdopen(writes, "wb") as result:
            result.write(msgspec.json.encode(_read_here(texts)))
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as result:
        told = result.read()
    _, status = os.waitpid(child, 0)
    return (
        msgspec.json.decode(told, type=Cost) if status == 0 else Cost(faults=[f"the reading process ended: {status}"])
    )


def _read_here(texts: Iterator[tuple[str, str]]) -> Cost:
    cost, peak = Cost(), _peak()
    signal.signal(signal.SIGPROF, _give_up)
    for name, text in texts:
        shown = f"{name}: {text[:60]!r}…{text[-20:]!r}, {len(text)} characters"
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 4 * SLOW_S)
        try:
            READERS[name](text)
        except AutopilotError:
            pass  # refused, with a message
        except _TakesForever:
            cost.faults.append(f"never came back: {shown}")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a traceback for the user
            cost.faults.append(f"{type(error).__name__}: {error}"[:200] + f": {shown}")
        signal.setitimer(signal.ITIMER_PROF, 0)
        took_s, grown = time.process_time() - began, _peak() - peak
        peak += grown
        if took_s > SLOW_S:
            cost.faults.append(f"{took_s:.1f} s: {shown}")
        if grown > LARGE_BYTES:
            cost.faults.append(f"{grown >> 20} MB: {shown}")
        cost.take(Cost(1, took_s, shown, grown, shown))
    return cost


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
