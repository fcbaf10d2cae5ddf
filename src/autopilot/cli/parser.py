"""The command line: every command, its options, and help that teaches."""

from __future__ import annotations

import argparse
from typing import NoReturn

from autopilot.cli.saying import complain

PHASES = "which phases: 3 | 3-7 | 3,5,8 | 7 8 9.1 10 | all | next (default: all open ones)"


class Parser(argparse.ArgumentParser):
    """Says what is wrong as every other error is said; its commands are parsers of the same kind."""

    def error(self, message: str) -> NoReturn:
        complain(message, f"{self.prog} --help")
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
        epilog="Example: autopilot run 3-7. Your checkout is touched only by landing, and only while it is clean.",
    )
    run.add_argument("phases", nargs="*", metavar="PHASES", help=PHASES)
    run.add_argument("--fresh", action="store_true", help="archive an unfinished run and start anew")
    resume = commands.add_parser(
        "resume",
        help="take up the unfinished run",
        description="Goes on at the step the run was in. A failed phase gets its second attempt.",
    )
    for command in (run, resume):
        agent = "the agent for every role your settings do not name: NAME, NAME:MODEL, or a chain with commas"
        command.add_argument("--agent", metavar="NAME", help=agent)
        script = "what the scripted agent plays; implies --agent scripted"
        command.add_argument("--script", metavar="FILE", help=script)
        command.add_argument("--json", action="store_true", help="print the final status as JSON on standard output")
        _add_talk(command)
        now = "do not wait for the circuit breaker to cool down"
        command.add_argument("--now", action="store_true", help=now)
    commands.add_parser("cancel", help="stop the run, from any terminal; `resume` takes it up again")
    verdict = commands.add_parser(
        "verdict",
        help="say what you found in a phase that waits for you",
        description="`pass` lets the work land, `issues_found` sends it back to be mended, `fail` ends it. The work "
        "waits on the branch that `autopilot status` names.",
        epilog='Example: autopilot verdict 3 issues_found --issue "the total is wrong after a refund"',
    )
    verdict.add_argument("phase", metavar="PHASE", help="the phase that waits")
    verdict.add_argument("verdict", choices=("pass", "fail", "issues_found"), help="what you found")
    verdict.add_argument("--issue", action="append", default=[], metavar="TEXT", help="what is wrong; may be repeated")


def _add_reading(commands: Commands[Parser]) -> None:
    status = commands.add_parser("status", help="where the last run stands")
    form = status.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole state as JSON")
    form.add_argument("--line", action="store_true", help="one line, quick enough for a shell prompt")
    watch = commands.add_parser(
        "watch",
        help="follow the run of this repository live, from any terminal",
        description="Shows progress as `run` does and what each agent is doing, until the run comes to rest. Only "
        "looks: leaving it with Ctrl-C changes nothing.",
    )
    watch.add_argument("--all", action="store_true", help="from the beginning, also of a run that has ended")
    watch.add_argument("--wait", action="store_true", help="when no run is under way, wait for the next one")
    watch.add_argument("--json", action="store_true", help="one JSON object a line: events, activities, the end")
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
    demo = commands.add_parser(
        "demo",
        help="run a small sample project with the bundled scripted agent; one phase lies at first and is caught",
        description="Real git, real commands, real sandbox; no model, no network, no tokens.",
    )
    demo.add_argument(
        "--in", dest="folder", metavar="FOLDER", help="make the sample there (default: a temporary folder)"
    )
    _add_talk(demo)


def _add_talk(command: argparse.ArgumentParser) -> None:
    command.add_argument("-q", "--quiet", action="store_true", help="no progress, only the result")
    command.add_argument("-v", "--verbose", action="store_true", help="every recorded event")
