"""The command line: every command, its options, and help that teaches."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from autopilot.cli.issue.options import add_issue_options
from autopilot.cli.issue.rails_options import add_rails
from autopilot.cli.output import print_error
from autopilot.cli.run_options import add_caps, add_files, add_modes
from autopilot.reports.status.host import HOSTS

VERDICTS = ("pass", "fail", "issues_found")
PHASES = "which phases: 3 | 3-7 | 3,5,8 | 7 8 9.1 10 | all | next (default: all open ones)"


class Parser(argparse.ArgumentParser):
    """Says what is wrong as every other error is said; its commands are parsers of the same kind.

    Words may stand before and after flags (`run 3 --lenient 5`); argparse by itself takes only the first of them.
    """

    def parse_known_args(  # type: ignore[override]  # its overloads allow namespaces of other kinds
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        parsed: tuple[Any, list[str]] = super().parse_known_args(args, namespace)
        options, rest = parsed
        lists = [action.dest for action in self._actions if not action.option_strings and action.nargs == "*"]
        if rest and lists and not any(argument.startswith("-") for argument in rest):
            setattr(options, lists[0], [*getattr(options, lists[0]), *rest])
            return options, []
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return options, rest

    def error(self, message: str) -> NoReturn:
        print_error(message, f"{self.prog} --help")
        self.exit(2)


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="autopilot",
        description="Drives coding agents through your roadmap while you are away, and proves what it calls done.",
        epilog="First time? `autopilot demo` shows a whole run in seconds; `autopilot doctor` checks this machine.",
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_run(commands)
    _add_people(commands)
    _add_reading(commands)
    _add_agents(commands)
    _add_rest(commands)
    return parser


Commands = argparse._SubParsersAction  # the only name argparse has for it


def _add_run(commands: Commands[Parser]) -> None:
    run = commands.add_parser(
        "run",
        help="carry out phases of the roadmap; an unfinished run is taken up again",
        description="Plans, executes, verifies, judges, rates and lands each phase without asking.",
        epilog="Examples: autopilot run 3-7; autopilot run --complete --parallel 2; autopilot run --gaps 3. "
        "Your checkout is touched only by landing, and only while it is clean.",
    )
    run.add_argument("phases", nargs="*", metavar="PHASES", help=PHASES)
    add_modes(run)
    resume = commands.add_parser(
        "resume",
        help="take up the unfinished run",
        description="Goes on at the step the run was in. A failed phase gets its second attempt.",
    )
    issue = commands.add_parser(
        "issue",
        help="bring one issue to a branch you can merge, by acceptance tests; you act at three gates",
        description="Requirements, design and merge are yours; everything between is decided by what was run and seen: "
        "the acceptance tests red before the implementation, green after it, every criterion covered. It never "
        "merges. Called again, it goes on where it stands.",
        epilog='Examples: autopilot issue 24; autopilot issue "Export as CSV" --define; '
        "autopilot issue 31 --route bugfix",
    )
    add_issue_options(issue)
    for command in (run, resume, issue):
        agent = "the agent for every role your settings do not name: NAME, NAME:MODEL, or a chain with commas"
        command.add_argument("--agent", metavar="NAME", help=agent)
        script = "what the scripted agent plays; implies --agent scripted"
        command.add_argument("--script", metavar="FILE", help=script)
        command.add_argument("--json", action="store_true", help="print the final status as JSON on standard output")
        _add_talk(command)
        now = "do not wait for the circuit breaker to cool down"
        command.add_argument("--now", action="store_true", help=now)
        add_caps(command)
        add_files(command)
        _add_host(command)
    commands.add_parser("cancel", help="stop the run, from any terminal; `resume` takes it up again")


def _add_people(commands: Commands[Parser]) -> None:
    answer = commands.add_parser(
        "answer",
        help="answer what a run asks you, from any terminal, at any time",
        description="Without answers it asks you one question after the other. The first answer to a gate counts.",
        epilog='Example: autopilot answer map 3.1="OAuth only" 3.2= (an empty one is left open on purpose)',
    )
    words = "the gate, where several are open, and QUESTION=TEXT for every question; `autopilot gates` lists them"
    answer.add_argument("arguments", nargs="*", metavar="ANSWER", help=words)
    answer.add_argument("--file", metavar="FILE", help="take the answers from a file, such as .autopilot/questions.md")
    more = "of a discussion: be asked more about this area; may be repeated"
    answer.add_argument("--more", action="append", default=[], metavar="AREA", help=more)
    yes = "say yes: to a checkpoint, a gate of an issue, or a phase that waits for a verdict"
    approve = commands.add_parser("approve", help=yes)
    no = "say no: a gate of an issue is sent back with your words, the run stops at a checkpoint, a phase fails"
    reject = commands.add_parser("reject", help=no)
    for command in (approve, reject):
        what = "the gate or the phase; may be left out where only one waits"
        command.add_argument("name", nargs="?", default="", metavar="GATE|PHASE", help=what)
    reject.add_argument("arguments", nargs="*", default=[], metavar="WORDS", help="why; each point becomes one finding")
    reject.add_argument("--reason", default="", metavar="TEXT", help="why")
    for document, name in (("stories", "user-stories.md"), ("plan", "plan.md"), ("tests", "acceptance-tests.md")):
        wrong = f"of a design: what has to change in {name}"
        reject.add_argument(f"--{document}", default="", metavar="TEXT", help=wrong)
    verdict = commands.add_parser(
        "verdict",
        help="say what you found in a phase that waits for you",
        description="`pass` lets the work land, `issues_found` sends it back to be mended, `fail` ends it. The work "
        "waits on the branch that `autopilot status` names.",
        epilog='Example: autopilot verdict 3 issues_found --issue "the total is wrong after a refund"',
    )
    only = "the phase that waits; may be left out where only one does"
    verdict.add_argument("phase", nargs="?", default="", metavar="PHASE", help=only)
    verdict.add_argument("verdict", nargs="?", choices=VERDICTS, help="what you found; asked for where it is left out")
    verdict.add_argument("--issue", action="append", default=[], metavar="TEXT", help="what is wrong; may be repeated")
    gates = commands.add_parser("gates", help="everything that waits for you, over all your repositories")
    gates.add_argument("--json", action="store_true", help="print it as JSON")


def _add_reading(commands: Commands[Parser]) -> None:
    status = commands.add_parser("status", help="where the last run stands")
    form = status.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole state as JSON")
    form.add_argument("--line", action="store_true", help="one line, quick enough for a shell prompt")
    _add_host(status)
    watch = commands.add_parser(
        "watch",
        help="follow the run of this repository live, from any terminal",
        description="Shows progress as `run` does and what each agent is doing, until the run comes to rest. Only "
        "looks: leaving it with Ctrl-C changes nothing.",
    )
    watch.add_argument("--all", action="store_true", help="from the beginning, also of a run that has ended")
    watch.add_argument("--wait", action="store_true", help="when no run is under way, wait for the next one")
    watch.add_argument("--json", action="store_true", help="one JSON object a line: events, activities, the end")
    _add_report(commands)
    _add_evidence(commands)
    log = commands.add_parser("log", help="the record of runs").add_subparsers(dest="action", metavar="ACTION")
    verify = log.add_parser(
        "verify",
        help="check the record from outside",
        description="Reads the whole chain of records, checks every seal, and compares it with its anchor. Exit 6 when "
        "something was changed, removed or put in.",
    )
    verify.add_argument("--json", action="store_true", help="print the result as JSON")
    doctor = commands.add_parser("doctor", help="check git, sandbox, agents, disk and settings, each with its remedy")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.add_argument("--attach", metavar="RECORDS", help="give this repository, moved here, its old records back")


def _add_report(commands: Commands[Parser]) -> None:
    report = commands.add_parser(
        "report",
        help="what a run came to: phases, evidence, audit, cost, trend, and what nobody checked",
        description="Markdown on standard output, of the last run or of one you name. Only reads.",
        epilog="Example: autopilot report --html report.html",
    )
    report.add_argument("run", nargs="?", metavar="RUN", help="which run, by its name (default: the last one)")
    form = report.add_mutually_exclusive_group()
    form.add_argument("--html", metavar="FILE", help="write it as one HTML page that needs nothing else")
    form.add_argument("--json", action="store_true", help="print all of it as JSON, the event log included")
    form.add_argument("--junit", metavar="FILE", help="write it as JUnit XML, for CI systems")
    form.add_argument("--summary", metavar="FILE", help="write it as short Markdown, for the summary of a CI job")


def _add_evidence(commands: Commands[Parser]) -> None:
    evidence = commands.add_parser(
        "evidence",
        help="what a phase's promises rest on; `evidence verify RUN` runs it all again and compares",
        description="Of every criterion, check and test script of a phase: what was run for it, at which commit, which "
        "tests speak for it, how strong that is (replayed red→green, green only, structural, claim only), what was "
        "objected, and last what nobody checked. Only reads. `evidence verify RUN` runs the recorded commands again, "
        "at their commits, on clean checkouts in the sandbox: exit 0 when all is seen as recorded, 1 when something "
        "differs, 5 when something could not be run. It changes no record and needs no run to stop.",
        epilog="Examples: autopilot evidence 3; autopilot evidence verify run-2026-01-31-120000 --phase 3",
    )
    what = "the phase; or `verify` and the name of a run, as `autopilot report` shows it"
    evidence.add_argument("what", nargs="+", metavar="PHASE | verify RUN", help=what)
    evidence.add_argument("--run", metavar="RUN", help="of which run (default: the last one that began the phase)")
    evidence.add_argument("--phase", metavar="PHASE", help="of `verify`: this phase alone")
    evidence.add_argument("--json", action="store_true", help="print it as JSON, with every test by its name")


def _add_agents(commands: Commands[Parser]) -> None:
    agents = commands.add_parser(
        "agents",
        help="which agents there are, and how they are signed in",
        description="Without an action: a table of every agent that is known, found or not.",
        epilog="Sign-ins are kept apart from your own: an agent never sees the folder you use it with yourself.",
    )
    agents.add_argument("--json", action="store_true", help="print all that is known as JSON")
    more = "whose limits each shares and where its program is, too; the lines are long"
    agents.add_argument("-v", "--long", action="store_true", help=more)
    actions = agents.add_subparsers(dest="action", metavar="ACTION")
    login = actions.add_parser(
        "login",
        help="sign an agent in for Autopilot",
        description="Runs the agent's own sign-in at this terminal, in a folder of its own below the state home.",
        epilog="Example: autopilot agents login codex --key < key.txt",
    )
    login.add_argument("--key", action="store_true", help="keep a key instead, read without echo or from a pipe")
    logout = actions.add_parser("logout", help="remove an agent's credentials, and nothing else")
    for action in (login, logout):
        action.add_argument("name", metavar="NAME", help="the agent, as `autopilot agents` calls it")
    _add_test(actions)


def _add_test(actions: Commands[Parser]) -> None:
    test = actions.add_parser(
        "test",
        help="certify agents: does each do what a run relies on?",
        description="Has each agent work in a throw-away repository, in the real sandbox, against a scripted model on "
        "this machine: no login, no network, no tokens. Prints a matrix; exit 0 when every required case passes.",
        epilog="Example: autopilot agents test claude codex. Your own agent: docs/agents.md says how to write one.",
    )
    test.add_argument("names", nargs="*", metavar="NAME", help="agents, as `autopilot agents` calls them")
    test.add_argument("--case", action="append", default=[], metavar="CASE", help="only this case; may be repeated")
    test.add_argument("--list", action="store_true", help="say which cases there are")
    test.add_argument("--json", action="store_true", help="print the matrix as JSON")
    test.add_argument("-q", "--quiet", action="store_true", help="no progress, only the result")


def _add_rest(commands: Commands[Parser]) -> None:
    commands.add_parser(
        "init",
        help="write .planning/config.json with detected commands, and a roadmap skeleton if there is none",
        description="Never overwrites what you wrote.",
    )
    add_rails(commands.add_parser("rails", help="the safety rails of a loop, one at a time, for shell workflows"))
    demo = commands.add_parser(
        "demo",
        help="run a small sample project with the bundled scripted agent; one phase lies at first and is caught",
        description="Real git, real commands, real sandbox; no model, no network, no tokens.",
    )
    demo.add_argument(
        "--in", dest="folder", metavar="FOLDER", help="make the sample there (default: a temporary folder)"
    )
    _add_talk(demo)


def _add_host(command: argparse.ArgumentParser) -> None:
    host = "the agent's chat you are called from: suggested commands begin with a fresh one"
    command.add_argument("--host", choices=HOSTS, default="", help=host)


def _add_talk(command: argparse.ArgumentParser) -> None:
    command.add_argument("-q", "--quiet", action="store_true", help="no progress, only the result")
    command.add_argument("-v", "--verbose", action="store_true", help="every recorded event")
