"""The evidence of one phase as lines for a terminal, as wide as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.evidence.promised import PromiseRow
from autopilot.reports.evidence.view import ObjectionShown, PhaseEvidence, Piece, ProbeShown, RunShown, TestsShown
from autopilot.reports.markdown import how_long, one_line, shorten
from autopilot.text.naming import plural

NARROWEST = 40
MOST_NEW, MOST_OTHERS, MOST_NOT_PASSED = 20, 5, 10
LONG_MS = 10_000
LONGEST_COMMAND = 240
# What it means that a probe ended so, by its kind.
MUST_FAIL = {"failed": "; it must fail", "passed": "; it must fail, and did not"}
MEANS = {
    "reverted": MUST_FAIL,
    "canary": MUST_FAIL,
    "expectation": MUST_FAIL,
    "mutant": {"failed": "; killed", "passed": "; survived"},
}


def render_evidence(evidence: PhaseEvidence, columns: int) -> str:
    """Nothing recorded, however long or strange, breaks out of its line's indent."""
    lines = list(_lines(evidence))
    return "".join(f"{shown}\n" for indent, text in lines for shown in _fit(indent, text, max(NARROWEST, columns)))


Line = tuple[int, str]  # indent and words


def _fit(indent: int, text: str, columns: int) -> list[str]:
    """Continued lines stand two further in; what has no blank to break at is broken anywhere."""
    clean = one_line(strip_controls(text))
    if not clean.strip():
        return [""]
    pad = " " * indent
    return wrap(clean, columns, initial_indent=pad, subsequent_indent=f"{pad}  ", break_on_hyphens=False)


def _lines(evidence: PhaseEvidence) -> Iterator[Line]:
    where = f", observed at {evidence.commit[:12]}" if evidence.commit else ""
    yield 0, f"{evidence.run}, phase {evidence.phase}: {evidence.name} ({evidence.status}{where})"
    if evidence.note:
        yield 0, evidence.note
    yield from ((0, line) for line in (_standing(evidence) if evidence.promises else [_totals(evidence)]))
    yield from _section("What is asked for", (line for row in evidence.promises for line in _promise(row)))
    for piece in evidence.pieces:
        yield 0, ""
        yield from _piece(piece)
    yield from _section("Probes of the phase", (line for probe in evidence.probes for line in _probe(probe, 2)))
    yield from _section(
        "Objections and flags", (line for objection in evidence.objections for line in _objection(objection, 2))
    )
    declared = (line for objection in evidence.control_files for line in _objection(objection, 2))
    yield from _section("Control files changed by declaration", declared)
    yield from _section("Packages", ((2, f"- {text}") for text in evidence.packages))
    yield from _section("Not checked", ((2, f"- {text}") for text in evidence.not_checked))


def _standing(evidence: PhaseEvidence) -> list[str]:
    strengths = _strengths(evidence)
    return [evidence.standing, *([f"how strong: {strengths}"] if strengths else [])]


def _strengths(evidence: PhaseEvidence) -> str:
    return ", ".join(f"{count} {word}" for word, count in evidence.strengths.items())


def _totals(evidence: PhaseEvidence) -> str:
    judged = [piece for piece in evidence.pieces if piece.verdict is not None]
    held = sum(piece.verdict == "PASS" for piece in judged)
    if not judged:
        many = f"{len(evidence.pieces)} criteria" if len(evidence.pieces) != 1 else "1 criterion"
        return f"nothing was checked yet ({many})"
    strengths = _strengths(evidence)
    result = f"{held} of {plural(len(judged), 'judged check')} passed"
    return result + (f": {strengths}" if strengths else "")


def _promise(row: PromiseRow) -> Iterator[Line]:
    by = f" by {', '.join(row.by)}" if row.by else ""
    yield 2, f"{row.name}  {row.status_words}{by}: {row.text}"
    if row.because:
        yield 6, row.because


def _section(title: str, lines: Iterable[Line]) -> Iterator[Line]:
    body = list(lines)
    if body:
        yield 0, ""
        yield 0, f"{title}:"
        yield from body


def _piece(piece: Piece) -> Iterator[Line]:
    verdict = piece.verdict or "not checked"
    strength = f", {piece.strength}" if piece.strength else ""
    name = f"{piece.subject}  {piece.text}" if piece.kind == "criterion" else piece.subject
    yield 0, f"{verdict}{strength}  {name}"
    if piece.because:
        yield 4, piece.because
    if piece.replayed_by:
        yield 4, f"shown to fail without the work: {'; '.join(piece.replayed_by)}"
    if piece.after is not None:
        yield 4, f"$ {piece.after.command}"
        yield 4, f"at {piece.after.commit[:12]}: {_how(piece.after)}"
        yield from _against(piece)
        if piece.before is not None:
            yield 4, f"before, at {piece.before.commit[:12]}: {_how(piece.before)}"
        if piece.after.tests is not None:
            yield from _tests(piece.after.tests, 4)
    for probe in piece.probes:
        yield from _probe(probe, 4)
    for objection in piece.objections:
        yield from _objection(objection, 4)
    for weak in piece.weak:
        yield 4, f"weak: {weak}"


def _against(piece: Piece) -> Iterator[Line]:
    """Of what does not hold: expected against actual, with the last lines of what it printed."""
    if piece.failure is not None and piece.failure.expected:
        yield 4, f"expected: {piece.failure.expected}"
        yield 4, f"actual:   {piece.failure.actual}"
        yield from ((6, f"| {line}") for line in piece.failure.last_lines)


def _how(run: RunShown) -> str:
    exit_words = f", exit {run.exit_code}" if run.exit_code is not None else ""
    took = how_long(run.duration_ms / 1000) if run.duration_ms >= LONG_MS else f"{run.duration_ms} ms"
    red = f", red by {run.tests.red_by}" if run.tests and run.tests.red_by else ""
    output = f", output {run.output[:12]}" if run.output else ""
    reason = f": {run.reason}" if run.reason else ""
    return f"{run.seen}{exit_words}{red}, {took}{output}{reason}"


def _tests(tests: TestsShown, indent: int) -> Iterator[Line]:
    counts = {
        "passed": tests.passed,
        "failed": tests.failed,
        "skipped": tests.skipped,
        "expected to fail": tests.xfailed,
    }
    result = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "none ran"
    new = f" ({len(tests.new)} new)" if tests.new else ""
    report = f", report {tests.report[:12]}" if tests.report else ""
    yield indent, f"tests: {tests.runner}: {result}{new}{report}"
    if tests.problem:
        yield indent + 2, f"problem: {tests.problem}"
    yield from _some((f"new {id}" for id in tests.new), MOST_NEW, indent + 2)
    yield from _some(tests.others, MOST_OTHERS, indent + 2)
    yield from _some(tests.not_passed, MOST_NOT_PASSED, indent + 2)


def _some(texts: Iterable[str], most: int, indent: int) -> Iterator[Line]:
    known = list(texts)
    yield from ((indent, word) for word in known[:most])
    if len(known) > most:
        yield indent, f"… and {len(known) - most} more (--json has all)"


def _probe(probe: ProbeShown, indent: int) -> Iterator[Line]:
    subject = f" {probe.subject}" if probe.subject and indent == 2 else ""
    means = MEANS.get(probe.kind, {}).get(probe.run.seen, "")
    yield indent, f"probe {probe.kind}{subject}: {_how(probe.run)}{means}"
    if subject:
        yield indent + 2, f"$ {shorten(probe.run.command, LONGEST_COMMAND)}"


def _objection(objection: ObjectionShown, indent: int) -> Iterator[Line]:
    word = "flag" if objection.weight == "flag" else f"objection ({objection.weight})"
    subject = f" {objection.subject}" if indent == 2 else ""
    yield indent, f"{word} {objection.layer}{subject}: {objection.observed}"
    if objection.where:
        yield indent + 2, f"where: {objection.where}"
    if objection.satisfy:
        yield indent + 2, f"would satisfy: {objection.satisfy}"
