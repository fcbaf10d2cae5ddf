"""The command line: every command with its options and help texts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from autopilot.cli.debugging.options import add_debug
from autopilot.cli.help_topics import TOPICS
from autopilot.cli.issue.options import add_issue_options
from autopilot.cli.issue.rails_options import add_rails
from autopilot.cli.machine_options import add_machine
from autopilot.cli.output import print_error
from autopilot.cli.phase_options import add_import, add_milestone, add_phase, add_plan
from autopilot.cli.reading_options import add_log, add_mcp, add_shell, add_trace, add_transcript, add_web, add_why
from autopilot.cli.repomap.options import add_repomap
from autopilot.cli.run_options import add_caps, add_files, add_modes
from autopilot.cli.usage_errors import reword
from autopilot.cli.visual_options import add_visual
from autopilot.reports.status.host import HOSTS

VERDICTS = ("pass", "fail", "issues_found")
PHASES = "phases to run: 3 | 3-7 | 3,5,8 | 7 8 9.1 10 | all | next (default: all outstanding ones)"


class Parser(argparse.ArgumentParser):
    """Prints errors as every other command does.

    Arguments may stand before and after options (`run 3 --lenient 5`); argparse alone takes only the first of them.
    """

    def parse_known_args(  # type: ignore[override]  # its overloads allow namespaces of other kinds
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        parsed: tuple[Any, list[str]] = super().parse_known_args(args, namespace)
        options, rest = parsed
        lists = [action.dest for action in self._actions if not action.option_strings and action.nargs == "*"]
        is_command = rest[:1] == ["--"]  # what follows are no options of ours
        if rest and lists and (is_command or not any(argument.startswith("-") for argument in rest)):
            setattr(options, lists[0], [*getattr(options, lists[0]), *rest[is_command:]])
            return options, []
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return options, rest

    def error(self, message: str) -> NoReturn:
        groups = (action.choices for action in self._actions if isinstance(action, argparse._SubParsersAction))
        choices = {a.dest: list(a.choices) for a in self._actions if a.choices and not a.metavar}
        print_error(*reword(message, self.prog, list(self._option_string_actions), list(next(groups, ())), choices))
        self.exit(2)


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="autopilot",
        description="Drives coding agents through your roadmap and proves what it reports as done.",
        epilog="First time? `autopilot demo` shows a complete run in seconds; `autopilot doctor` checks this machine.",
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_run(commands)
    add_phase(commands)
    add_milestone(commands)
    add_import(commands)
    _add_people(commands)
    _add_reading(commands)
    _add_agents(commands)
    _add_rest(commands)
    add_machine(commands)
    _add_help(commands)
    return parser


Commands = argparse._SubParsersAction  # the only name argparse has for it


def _add_run(commands: Commands[Parser]) -> None:
    run = commands.add_parser(
        "run",
        help="run phases of the roadmap; resumes an unfinished run",
        description="Plans, executes, verifies, judges, rates and lands each phase without questions to you.",
        epilog="Examples: autopilot run 3-7; autopilot run --complete --parallel 2; autopilot run --gaps 3. "
        "Only landing changes your checkout, and only while it is clean.",
    )
    run.add_argument("phases", nargs="*", metavar="PHASES", help=PHASES)
    add_modes(run)
    resume = commands.add_parser(
        "resume",
        help="resume the unfinished run",
        description="Continues at the step where the run stopped. A failed phase gets a second attempt.",
    )
    issue = commands.add_parser(
        "issue",
        help="develop one issue on a branch for you to merge, proven by acceptance tests; you decide at three gates",
        description="You approve the requirements and the design, and you merge. Between these gates Autopilot decides "
        "by test runs: the acceptance tests must fail before the implementation, pass after it and cover every "
        "criterion. Autopilot never merges. The same command resumes an unfinished issue.",
        epilog='Examples: autopilot issue 24; autopilot issue "Export as CSV" --define; '
        "autopilot issue 31 --route bugfix",
    )
    add_issue_options(issue)
    for command in (run, resume, issue, *add_debug(commands), add_plan(commands)):
        _add_driving(command)
    stops = "stop the run, from any terminal; `autopilot resume` resumes it"
    about = "Stops the run in progress, whichever process drives it: agents are ended, nothing that passed is lost."
    commands.add_parser("cancel", help=stops, description=f"{about} `autopilot resume` continues it.")
    pauses = "stop the run when its step in progress has ended, from any terminal; `autopilot resume` resumes it"
    about = "Asks the run in progress to stop between two steps: agents at work finish first, no call is paid twice."
    commands.add_parser("pause", help=pauses, description=f"{about} `autopilot cancel` stops it at once.")


def _add_driving(command: argparse.ArgumentParser) -> None:
    """The options of every command that drives a run."""
    agent = "agent for every role that your settings do not assign: NAME, NAME:MODEL, or several separated by commas"
    command.add_argument("--agent", metavar="NAME", help=agent)
    script = "script for the scripted agent; implies --agent scripted"
    command.add_argument("--script", metavar="FILE", help=script)
    command.add_argument("--json", action="store_true", help="print the final status as JSON on standard output")
    _add_talk(command)
    now = "do not wait for the cooldown of the circuit breaker"
    command.add_argument("--now", action="store_true", help=now)
    add_caps(command)
    add_files(command)
    _add_host(command)


def _add_people(commands: Commands[Parser]) -> None:
    _add_answer(commands)
    _add_approval(commands)
    _add_verdict(commands)
    gates = commands.add_parser("gates", help="list everything that waits for you in all your repositories")
    gates.add_argument("--json", action="store_true", help="print it as JSON")


def _add_answer(commands: Commands[Parser]) -> None:
    answer = commands.add_parser(
        "answer",
        help="answer the questions of a run, from any terminal, at any time",
        description="Without arguments it asks you one question after the other. The first answer to a gate is final.",
        epilog='Example: autopilot answer map 3.1="OAuth only" 3.2= (an empty answer skips the question)',
    )
    answer_help = "name of the gate if several are open, then QUESTION=TEXT for every question; see `autopilot gates`"
    answer.add_argument("arguments", nargs="*", metavar="ANSWER", help=answer_help)
    answer.add_argument("--file", metavar="FILE", help="read the answers from FILE, such as .autopilot/questions.md")
    more = "in a discussion: get more questions about AREA; may be repeated"
    answer.add_argument("--more", action="append", default=[], metavar="AREA", help=more)


def _add_approval(commands: Commands[Parser]) -> None:
    yes = "approve a checkpoint, a gate of an issue, or a phase that waits for a verdict"
    decides = "The decision is recorded at once; `autopilot resume`, or the process that drives the run, acts on it."
    approve = commands.add_parser("approve", help=yes, description=f"{yes[0].upper()}{yes[1:]}. {decides}")
    no = "reject a gate: an issue is revised, a run stops at its checkpoint, a waiting phase fails"
    reject = commands.add_parser("reject", help=no, description=f"{no[0].upper()}{no[1:]}. {decides}")
    for command in (approve, reject):
        name_help = "name of the gate or number of the phase; optional if only one is waiting"
        command.add_argument("name", nargs="?", default="", metavar="GATE|PHASE", help=name_help)
    reject.add_argument(
        "arguments", nargs="*", default=[], metavar="REASON", help="why; each point becomes one finding"
    )
    reject.add_argument("--reason", default="", metavar="TEXT", help="why")
    for document, name in (("stories", "user-stories.md"), ("plan", "plan.md"), ("tests", "acceptance-tests.md")):
        wrong = f"for a design: what has to change in {name}"
        reject.add_argument(f"--{document}", default="", metavar="TEXT", help=wrong)


def _add_verdict(commands: Commands[Parser]) -> None:
    verdict = commands.add_parser(
        "verdict",
        help="give your verdict on a phase that waits for it",
        description="`pass` lands the work, `issues_found` has the agent fix it, `fail` fails the phase. "
        "`autopilot status` names the command that shows the work.",
        epilog='Example: autopilot verdict 3 issues_found --issue "the total is wrong after a refund"',
    )
    only = "phase that waits for a verdict; optional if only one does"
    verdict.add_argument("phase", nargs="?", default="", metavar="PHASE", help=only)
    verdict.add_argument(
        "verdict", nargs="?", choices=VERDICTS, help="your verdict; asked for at a terminal if omitted"
    )
    verdict.add_argument("--issue", action="append", default=[], metavar="TEXT", help="what is wrong; may be repeated")


def _add_reading(commands: Commands[Parser]) -> None:
    status = commands.add_parser("status", help="show the state of the last run")
    form = status.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the whole state as JSON")
    form.add_argument("--line", action="store_true", help="print one line, fast enough for a shell prompt")
    _add_host(status)
    _add_watch(commands)
    add_web(commands)
    add_mcp(commands)
    _add_progress(commands)
    _add_report(commands)
    _add_evidence(commands)
    add_why(commands)
    add_shell(commands)
    add_transcript(commands)
    add_trace(commands)
    add_visual(commands)
    add_log(commands)
    _add_doctor(commands)


def _add_watch(commands: Commands[Parser]) -> None:
    watch = commands.add_parser(
        "watch",
        help="follow the run of this repository live, from any terminal",
        description="At a terminal: phases, steps, agents, cost and last lines, with keys to open a phase, to answer "
        "what waits for you and to cancel; ? lists them. Elsewhere: progress as lines, until the run stops. Leaving it "
        "(q, Ctrl-C) does not affect the run.",
    )
    watch.add_argument(
        "--all", action="store_true", help="as lines, from the beginning of the run, also of an ended one"
    )
    watch.add_argument("--lines", action="store_true", help="as lines at a terminal too, until the run stops")
    watch.add_argument("--wait", action="store_true", help="wait for the next run if none is in progress")
    watch.add_argument(
        "--json", action="store_true", help="print one JSON object per line: events, activities, the end"
    )


def _add_doctor(commands: Commands[Parser]) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="check git, sandbox, agents, disk, settings and the project's commands, with a remedy for every problem",
        description="Checks git, the sandbox, agents, the disk, your settings and the planning files, then runs the "
        "project's setup, compile, lint, build and test commands in the sandbox on the last commit, as a run would "
        "before any work.",
    )
    doctor.add_argument("--no-try", action="store_true", help="do not run the project's commands")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.add_argument(
        "--attach", metavar="RECORDS", help="reconnect this repository with its records after it was moved"
    )


def _add_progress(commands: Commands[Parser]) -> None:
    progress = commands.add_parser(
        "progress",
        help="show how far the project is: plans done, recent work, position, decisions, and what comes next",
        description="Reads the planning files and the record of runs, and prints a report as Markdown in the form of "
        "GSD's progress command. It only reads, and needs no run. How a run stands: `autopilot status`.",
    )
    form = progress.add_mutually_exclusive_group()
    form.add_argument("--bar", action="store_true", help="print the progress bar alone")
    form.add_argument("--json", action="store_true", help="print it as JSON")
    _add_host(progress)


def _add_report(commands: Commands[Parser]) -> None:
    report = commands.add_parser(
        "report",
        help="report on a run: phases, evidence, audit, cost, trend, and what was not checked",
        description="Prints the report of the last run, or of the named one, as Markdown. It only reads.",
        epilog="Example: autopilot report --html report.html",
    )
    report.add_argument("run", nargs="?", metavar="RUN", help="name of the run (default: the last one)")
    form = report.add_mutually_exclusive_group()
    form.add_argument("--html", metavar="FILE", help="write the report as one self-contained HTML page")
    form.add_argument("--json", action="store_true", help="print the report as JSON, including the event log")
    form.add_argument("--junit", metavar="FILE", help="write the report as JUnit XML, for CI systems")
    form.add_argument("--summary", metavar="FILE", help="write a short report as Markdown, for the summary of a CI job")
    form.add_argument("--sarif", metavar="FILE", help="write what did not hold as SARIF 2.1.0, for code scanning")
    form.add_argument("--code-quality", metavar="FILE", help="write the same as a code quality report of GitLab")
    form.add_argument("--annotations", action="store_true", help="print the same as workflow commands of GitHub")


def _add_evidence(commands: Commands[Parser]) -> None:
    evidence = commands.add_parser(
        "evidence",
        help="show the evidence for a phase; `evidence verify RUN` runs it again and compares",
        description="For every criterion, check and test script of a phase: the command that was run, its commit, the "
        "tests that cover it, the strength of the evidence (replayed red→green, green only, structural, claim only), "
        "the objections, and what was not checked. It only reads. `evidence verify RUN` runs the recorded commands "
        "again at their commits, on clean checkouts in the sandbox: exit 0 when every result is as recorded, 1 when "
        "one differs, 5 when a command could not be run. It changes no record and works beside a run.",
        epilog="Examples: autopilot evidence 3; autopilot evidence output 1a2b3c4d5e6f; "
        "autopilot evidence verify run-2026-01-31-120000 --phase 3",
    )
    name_help = "number of the phase; `output` and a digest that it shows; or `verify` and the name of a run"
    evidence.add_argument("what", nargs="+", metavar="PHASE | output HASH | verify RUN", help=name_help)
    evidence.add_argument("--run", metavar="RUN", help="name of the run (default: the last one that started the phase)")
    evidence.add_argument("--phase", metavar="PHASE", help="with `verify`: only this phase")
    evidence.add_argument("--json", action="store_true", help="print the evidence as JSON, with the name of every test")


def _add_agents(commands: Commands[Parser]) -> None:
    agents = commands.add_parser(
        "agents",
        help="list agents, sign them in and out, certify them",
        description="Without an action it lists every supported agent, installed or not.",
        epilog="Autopilot keeps its own sign-ins: an agent never gets access to your personal configuration of it.",
    )
    agents.add_argument("--json", action="store_true", help="print the list as JSON")
    more = "also show the hosts it may reach, the provider whose limits apply and the path of the program"
    agents.add_argument("-v", "--long", action="store_true", help=more)
    actions = agents.add_subparsers(dest="action", metavar="ACTION")
    login = actions.add_parser(
        "login",
        help="sign an agent in for use by Autopilot",
        description="Runs the agent's own sign-in at this terminal and stores the credentials below the state home.",
        epilog="Example: autopilot agents login codex --key < key.txt",
    )
    login.add_argument("--key", action="store_true", help="store an API key instead, read without echo or from a pipe")
    logout = actions.add_parser("logout", help="remove the stored credentials of an agent")
    for action in (login, logout):
        action.add_argument("name", metavar="NAME", help="name of the agent, as `autopilot agents` lists it")
    _add_test(actions)


def _add_test(actions: Commands[Parser]) -> None:
    test = actions.add_parser(
        "test",
        help="certify agents: test everything that a run requires of them",
        description="Runs each agent in a temporary repository, in the real sandbox, against a scripted model on this "
        "machine: no login, no network, no tokens. Prints a matrix; exit 0 when every required case passes.",
        epilog="Example: autopilot agents test claude codex. docs/agents.md explains how to write your own agent.",
    )
    test.add_argument("names", nargs="*", metavar="NAME", help="names of agents, as `autopilot agents` lists them")
    test.add_argument("--case", action="append", default=[], metavar="CASE", help="run only this case; may be repeated")
    test.add_argument("--list", action="store_true", help="list the cases")
    test.add_argument("--json", action="store_true", help="print the matrix as JSON")
    test.add_argument("-q", "--quiet", action="store_true", help="print no progress, only the result")


def _add_rest(commands: Commands[Parser]) -> None:
    init = commands.add_parser(
        "init",
        help="find the commands that work here, write them into .planning/config.json, and a roadmap template",
        description="Candidates for setup, compile, lint, build and test come from manifests, CI, tox, nox, Makefile "
        "and the layout. Each is run in the sandbox on the last commit before it is written. Existing values and files "
        "are kept.",
    )
    init.add_argument("--no-try", action="store_true", help="write what the files suggest without running anything")
    commands.add_parser(
        "gc",
        help="remove what the records hold and can be made again",
        description="Removes checkouts of commits, workspaces that a killed run left, and what setup installed that no "
        "run has used for 30 days. A run that completes does the same. No history and no evidence is removed.",
    )
    add_repomap(
        commands.add_parser(
            "repomap",
            help="map the code: what each file defines, imports and calls",
            description="A structural map of the code of any git repository, made without an agent and kept up to date "
            "file by file. It needs no roadmap.",
            epilog="Examples: autopilot repomap build; autopilot repomap export --full --print",
        )
    )
    add_rails(commands.add_parser("rails", help="run one safety rail, for loops in shell workflows"))
    demo = commands.add_parser(
        "demo",
        help="run a sample project with the bundled scripted agent, which first makes a false claim and is caught",
        description="Real git, real commands, real sandbox; no model, no network, no tokens.",
    )
    demo.add_argument(
        "--in", dest="folder", metavar="FOLDER", help="create the sample in FOLDER (default: a temporary folder)"
    )
    _add_talk(demo)
    demo.set_defaults(ci=False)


def _add_help(commands: Commands[Parser]) -> None:
    shown = commands.add_parser(
        "help",
        help="explain a command or a topic; without one, list both",
        description=f"Topics: {', '.join(TOPICS)}. A command is explained as its --help does.",
        epilog="Examples: autopilot help; autopilot help phases; autopilot help phase insert",
    )
    shown.add_argument("topic", nargs="*", metavar="TOPIC", help="a topic, or a command")
    page = "print the manual page of all commands: autopilot help --man | man -l -"
    shown.add_argument("--man", dest="manual", action="store_true", help=page)


def _add_host(command: argparse.ArgumentParser) -> None:
    host = "name the agent chat that calls Autopilot: suggested commands then start with its command for a new chat"
    command.add_argument("--host", choices=HOSTS, default="", help=host)


def _add_talk(command: argparse.ArgumentParser) -> None:
    command.add_argument("-q", "--quiet", action="store_true", help="print no progress, only the result")
    more = "print every step, not only outcomes; twice, or where output is no terminal once: every recorded event too"
    command.add_argument("-v", "--verbose", action="count", default=0, help=more)
