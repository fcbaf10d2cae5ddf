"""``autopilot phase``"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.phases.reading import Source
from autopilot.api.phases.showing import read_cards
from autopilot.api.phases.writing import Request, edit_phases
from autopilot.cli.edit_output import repeatable, report_edit
from autopilot.cli.output import print_json, print_output
from autopilot.model.errors import UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.planning.editing.operations import (
    PhaseRequest,
    add_phase,
    edit_phase,
    insert_phase,
    move_phase,
    remove_phase,
    split_phase,
)
from autopilot.planning.editing.phase_text import PhaseChange
from autopilot.planning.roadmap.phase_id import parse_phase_id, phase_named
from autopilot.reports.phases.phase_card import card_document, render_card, render_list
from autopilot.settings.reading import read_settings

NONE = ("none", "nothing", "")


def main(options: argparse.Namespace) -> int:
    if options.action in (None, "show"):
        return _show(options)
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    assembly.interruption.install()
    request = Request(repeatable(options), not options.no_commit, options.dry_run)
    outcome = edit_phases(assembly, request, lambda source: _make(options, source))
    report_edit(outcome, options)
    return 0


def _make(options: argparse.Namespace, source: Source) -> Edit:
    project, work = source.project, source.work
    match options.action:
        case "add":
            return add_phase(project, _request(options))
        case "insert":
            return insert_phase(project, _number(options.phase), _request(options))
        case "remove":
            phase = _number(options.phase)
            return remove_phase(project, work, phase, keep_numbers=options.keep_numbers, force=options.force)
        case "move":
            target = _number(options.after or options.before)
            return move_phase(project, work, _number(options.phase), target, before=bool(options.before))
        case "split":
            names = [_one_line(name, "a name") for name in options.names]
            return split_phase(project, work, _number(options.phase), names, _criteria_numbers(options.criteria))
        case _:
            return edit_phase(project, work, _number(options.phase), _change(options))


def _request(options: argparse.Namespace) -> PhaseRequest:
    return PhaseRequest(
        _one_line(" ".join(options.name), "the name"),
        _one_line(options.goal, "the goal") if options.goal else "",
        None if options.depends_on is None else _phases(options.depends_on),
        _list(options.requirements or ""),
        tuple(_one_line(text, "a criterion") for text in options.criterion),
    )


def _change(options: argparse.Namespace) -> PhaseChange:
    depends = None if options.depends_on is None else _phases(options.depends_on)
    change = PhaseChange(
        name=options.name and _one_line(options.name, "the name"),
        goal=options.goal and _one_line(options.goal, "the goal"),
        depends_on=None if depends is None else ", ".join(f"Phase {id}" for id in depends) or "Nothing",
        requirements=None if options.requirements is None else ", ".join(_list(options.requirements)) or "TBD",
        criteria=tuple(_one_line(text, "a criterion") for text in options.criterion),
    )
    if not change.fields:
        hint = "add --name, --goal, --depends-on, --requirements or --criterion"
        raise UsageError(f"no change of phase {options.phase} was given", hint)
    return change


def _one_line(text: str, subject: str) -> str:
    plain = " ".join(text.split())
    if not plain or plain != strip_controls(plain):
        raise UsageError(f"{subject} is empty, or has characters that are no text", "write it as one line of text")
    return plain


def _number(text: str) -> PhaseId:
    id = parse_phase_id(text)
    if id is None:
        raise UsageError(f"{text!r} is not the number of a phase", "write a number such as 3, 3.1 or 20A")
    return id


def _phases(text: str) -> tuple[PhaseId, ...]:
    return () if text.strip().lower() in NONE else tuple(_number(word) for word in _list(text))


def _list(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[,\s]+", text) if word)


def _criteria_numbers(text: str) -> tuple[int, ...]:
    if wrong := [word for word in _list(text) if not word.isdecimal()]:
        raise UsageError(f"{wrong[0]!r} is not the number of a criterion", "`autopilot phase show PHASE` numbers them")
    return tuple(sorted({int(word) for word in _list(text)}))


def _show(options: argparse.Namespace) -> int:
    settings = read_settings()
    wanted = getattr(options, "phase", "")
    only = phase_named(wanted) if wanted else None
    cards = read_cards(find_repository(Path.cwd(), settings, to_read=True), settings, only)
    if options.json:
        documents = [card_document(card) for card in cards]
        print_json(documents[0] if wanted else documents)
        return 0
    lines = render_card(cards[0]) if wanted else render_list(cards)
    print_output("".join(f"{line}\n" for line in lines))
    return 0
