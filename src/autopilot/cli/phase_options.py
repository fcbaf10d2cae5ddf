"""The options of `autopilot phase` and `autopilot milestone`."""

from __future__ import annotations

import argparse
from typing import Any

NUMBERS = "number of the phase, such as 3 or 3.1"


def add_phase(commands: Any) -> None:
    phase = commands.add_parser(
        "phase",
        help="add, insert, remove, move, split, show or edit phases of the roadmap, by rule",
        description="Edits the roadmap and everything that names its phases: checklist, progress table, dependencies, "
        "the phase column of REQUIREMENTS.md, STATE.md, folders below .planning/phases. Nothing else in these files "
        "changes, line ends included. The edit is one commit on your branch; uncommitted work in other files stays as "
        "it is. What is proven, in progress or needed by another phase is not taken away: the message says what stands "
        "in the way and what to do.",
        epilog='Examples: autopilot phase; autopilot phase add "Rate limits" --goal "No client can flood us"; '
        'autopilot phase insert 3 "Fix login"; autopilot phase remove 7 --dry-run; autopilot phase move 6 --before 4',
    )
    phase.add_argument("--json", action="store_true", help="print the list of phases as JSON")
    actions = phase.add_subparsers(dest="action", metavar="ACTION")
    _add_new(actions)
    _add_remove(actions)
    _add_move(actions)
    _add_split(actions)
    _add_edit(actions)
    show = actions.add_parser(
        "show",
        help="show a phase as it is read, or list all of them",
        description="Shows what Autopilot reads of a phase: goal, criteria, dependencies, how it stands and why, its "
        "folder, and what would stand in the way of its removal. Without a number it lists all phases.",
    )
    show.add_argument("phase", nargs="?", default="", metavar="PHASE", help=NUMBERS)
    show.add_argument("--json", action="store_true", help="print it as JSON")


def _add_new(actions: Any) -> None:
    add = actions.add_parser(
        "add",
        help="add a phase at the end of the roadmap, with the next integer",
        description="The new phase gets the next integer, a section, a checklist line and a table row where the phase "
        "before it has one, and an empty folder.",
        epilog='Example: autopilot phase add "Rate limits" --goal "No client can flood us" '
        "--criterion 'It answers 429 -- verified by: `./flood` (contains \"429\")'",
    )
    insert = actions.add_parser(
        "insert",
        help="insert a phase after another one, as a decimal: after 3 comes 3.1",
        description="For work that cannot wait until the end. No other number changes: after phase 3 it is 3.1, or the "
        "next decimal that is free. It depends on phase 3; whether later phases depend on it is yours to say, and the "
        "command for it is printed.",
        epilog='Example: autopilot phase insert 3 "Fix login"',
    )
    insert.add_argument("phase", metavar="AFTER", help="phase that it follows")
    for command in (add, insert):
        command.add_argument("name", nargs="+", metavar="NAME", help="name of the new phase")
        command.add_argument("--goal", default="", metavar="TEXT", help="what is true when it is done")
        _add_fields(command)
        _add_common(command)


def _add_fields(command: argparse.ArgumentParser) -> None:
    depends = "phases that it depends on, separated by commas, or `none`"
    command.add_argument("--depends-on", metavar="LIST", help=depends)
    command.add_argument("--requirements", metavar="LIST", help="ids of requirements that it answers for")
    more = "success criterion to add, best with ``-- verified by: `command` ``; may be repeated"
    command.add_argument("--criterion", action="append", default=[], metavar="TEXT", help=more)


def _add_remove(actions: Any) -> None:
    remove = actions.add_parser(
        "remove",
        help="remove a phase; the phases after it move up by one",
        description="Removes its section, checklist lines, table rows and folder. The phases after it get the number "
        "before theirs, with every reference and folder. Refused while another phase depends on it, was inserted after "
        "it, or while it is proven or in progress.",
        epilog="Example: autopilot phase remove 7 --dry-run",
    )
    remove.add_argument("phase", metavar="PHASE", help=NUMBERS)
    keep = "leave the other numbers as they are: the number of the removed phase stays unused"
    remove.add_argument("--keep-numbers", action="store_true", help=keep)
    force = "also a phase that your files call done, or that STATE.md is at; never one that is proven or in progress"
    remove.add_argument("--force", action="store_true", help=force)
    _add_common(remove)


def _add_move(actions: Any) -> None:
    move = actions.add_parser(
        "move",
        help="move a phase before or after another one; the numbers follow the new order",
        description="Integer phases move among integer phases, with what was inserted after them; a decimal among the "
        "decimals of its phase. Refused where a phase would come before one that it depends on.",
        epilog="Example: autopilot phase move 6 --before 4",
    )
    move.add_argument("phase", metavar="PHASE", help=NUMBERS)
    side = move.add_mutually_exclusive_group(required=True)
    side.add_argument("--after", default="", metavar="PHASE", help="phase that it is to follow")
    side.add_argument("--before", default="", metavar="PHASE", help="phase that is to follow it")
    _add_common(move)


def _add_split(actions: Any) -> None:
    split = actions.add_parser(
        "split",
        help="split parts off a phase, as decimals behind it",
        description="The phase keeps its number, name and goal. Each part becomes a phase behind it, on top of the "
        "part before; phases that depend on it depend on the last part as well.",
        epilog='Example: autopilot phase split 5 "Import" --criteria 3,4',
    )
    split.add_argument("phase", metavar="PHASE", help=NUMBERS)
    split.add_argument("names", nargs="+", metavar="NAME", help="name of each part; quote those of several words")
    taken = "numbers of the criteria that go to the first part, separated by commas; `phase show` numbers them"
    split.add_argument("--criteria", default="", metavar="LIST", help=taken)
    _add_common(split)


def _add_edit(actions: Any) -> None:
    edit = actions.add_parser(
        "edit",
        help="change the name, goal, dependencies, requirements or criteria of a phase",
        description="Changes what you name and nothing else. A new name also renames the phase's folder.",
        epilog="Examples: autopilot phase edit 7 --depends-on 4,5; autopilot phase edit 7 --name 'Rate limits'",
    )
    edit.add_argument("phase", metavar="PHASE", help=NUMBERS)
    edit.add_argument("--name", metavar="TEXT", help="its new name")
    edit.add_argument("--goal", metavar="TEXT", help="its new goal")
    _add_fields(edit)
    _add_common(edit)


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--dry-run", action="store_true", help="print the edit as a diff and write nothing")
    without = "write the files and leave the commit to you; also files that have changes of yours"
    command.add_argument("--no-commit", action="store_true", help=without)
    command.add_argument("--json", action="store_true", help="print what changed as JSON")


def add_milestone(commands: Any) -> None:
    milestone = commands.add_parser(
        "milestone",
        help="list the milestones of the roadmap, complete one that is proven, start the next",
        description="A milestone is a heading, a list entry or a table column of the roadmap that begins with a "
        "version, such as `### v1.1 Security (In Progress)`. `autopilot run` without numbers stays within the current "
        "one. Without an action the milestones are listed.",
        epilog="Examples: autopilot milestone; autopilot milestone show v1.1; autopilot milestone complete --dry-run; "
        'autopilot milestone start v1.2 "Sharing"',
    )
    milestone.add_argument("--json", action="store_true", help="print the list of milestones as JSON")
    actions = milestone.add_subparsers(dest="action", metavar="ACTION")
    _add_milestone_reading(actions)
    complete = actions.add_parser(
        "complete",
        help="archive a milestone whose phases are all proven",
        description="Puts its phases into <details> in the roadmap, keeps the roadmap and the requirements as they "
        "were below .planning/milestones, moves the folders of its phases there, and records it in "
        ".planning/MILESTONES.md: GSD's files, in one commit. "
        "Refused while a phase of it is open, in progress, or called done without proof.",
        epilog='Example: autopilot milestone complete v1.0 --name "First release" --dry-run',
    )
    which = "its version, such as v1.0 (default: the one that has no open phase left)"
    complete.add_argument("milestone", nargs="?", default="", metavar="VERSION", help=which)
    complete.add_argument("--name", default="", metavar="TEXT", help="its name, where the roadmap does not say it")
    complete.add_argument("--keep-folders", action="store_true", help="leave the folders of its phases where they are")
    unproven = "also take phases that only the planning files call done; the record says so of each"
    complete.add_argument("--accept-unproven", action="store_true", help=unproven)
    _add_common(complete)
    start = actions.add_parser(
        "start",
        help="make a milestone the current one",
        description="Marks it as in progress in the roadmap and in STATE.md. A milestone that the roadmap does not "
        "have yet gets a heading; add its phases with `autopilot phase add`.",
        epilog='Example: autopilot milestone start v1.2 "Sharing"',
    )
    start.add_argument("milestone", metavar="VERSION", help="its version, such as v1.2")
    start.add_argument(
        "name", nargs="*", default=[], metavar="NAME", help="its name, where the roadmap does not say it"
    )
    _add_common(start)


def _add_milestone_reading(actions: Any) -> None:
    listing = actions.add_parser(
        "list",
        help="list the milestones of the roadmap",
        description="One line for each milestone of the roadmap: shipped, in progress (an arrow marks the current "
        "one) or planned, with its phases, how many of them are proven and which are open.",
    )
    show = actions.add_parser(
        "show",
        help="show a milestone: its phases, and what is missing until it is complete",
        description="Shows each phase of a milestone with what is known of it, what stands in the way of completing "
        "it with the command that leads on, and its archives.",
        epilog="Example: autopilot milestone show v1.1",
    )
    show.add_argument("milestone", nargs="?", default="", metavar="VERSION", help="its version (default: the current)")
    for command in (listing, show):
        command.add_argument("--json", action="store_true", help="print it as JSON")


def add_import(commands: Any) -> None:
    imports = commands.add_parser(
        "import",
        help="make a roadmap as GSD writes it of another tool's planning files, or of GitHub's issues",
        description="For who wants to leave the other tool: writes .planning/ROADMAP.md, the tasks as plans of its "
        "phases, and the acceptance scenarios as .planning/REQUIREMENTS.md, as one commit on your branch. Numbers, "
        'order, states, dependencies and criteria stay; what is done there is "done, unproven". Whatever cannot be '
        "carried over is named with its line. The other tool's files stay as they are, and no file is written over.",
        epilog="Examples: autopilot import --dry-run; autopilot import --from openspec; "
        "autopilot import --from github --milestone v1.2",
    )
    source = "what to read: spec-kit, openspec, task-master, backlog, kiro, ralph, fix-plan, checklist, or github "
    imports.add_argument("--from", dest="source", default="", metavar="NAME", help=f"{source}(default: what is here)")
    milestone = "with github: only the issues of this milestone, closed ones included"
    imports.add_argument("--milestone", default="", metavar="NAME", help=milestone)
    _add_common(imports)


def add_plan(commands: Any) -> Any:
    plan = commands.add_parser(
        "plan",
        help="draft a roadmap, or further phases, from a sentence or a document; you see it before it is written",
        description="A planner drafts phases in its own clone, within your caps. The draft is judged by rule: every "
        "phase has a goal and a criterion that a command decides, can fail and does not hold yet; dependencies form "
        "no circle; nothing that is there is changed. It is sent back with the complaints at most twice. Then it "
        "waits: without arguments the command shows it as a diff, with the name to accept it by. Nothing is written "
        "or committed before.",
        epilog='Examples: autopilot plan "guests can pay by card"; autopilot plan wishes.md --agent claude; '
        "autopilot plan; autopilot plan --accept 1a2b3c4d5e6f; autopilot plan --discard",
    )
    wanted = "what you want, or the name of a document that says so; without it the draft that waits is shown"
    plan.add_argument("wanted", nargs="*", metavar="WHAT|FILE", help=wanted)
    accept = "write the draft of this name into the roadmap, as one commit; at a terminal you are asked"
    plan.add_argument("--accept", nargs="?", const="", metavar="DRAFT", help=accept)
    plan.add_argument("--discard", action="store_true", help="drop the draft, also one that was interrupted")
    without = "with --accept: write the file and leave the commit to you"
    plan.add_argument("--no-commit", action="store_true", help=without)
    return plan
