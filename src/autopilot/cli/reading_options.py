"""Options of commands that read a run or its record: ``why``, ``shell``, ``transcript``, ``trace``, ``log``, doors."""

from __future__ import annotations

from typing import Any

from autopilot.cli.run_options import whole_number


def add_why(commands: Any) -> None:
    why = commands.add_parser(
        "why",
        help="show why a phase or a criterion does not hold: expected against actual, and how to repeat it by hand",
        description="Shows for everything that does not hold: the criterion, the command, its exit status, what was "
        "expected, what came, the last lines of its output, and the command that runs it again on the same tree in "
        "the same sandbox. Also what agents called done and Autopilot refused on the way. It only reads.",
        epilog="Examples: autopilot why; autopilot why 3; autopilot why 03-01.c2; autopilot why test",
    )
    about = "a phase (3), criterion (03-01.c2), check (test) or task (03-01); default: everything of the last run"
    why.add_argument("what", nargs="?", default="", metavar="PHASE|CRITERION", help=about)
    why.add_argument("--run", metavar="RUN", help="name of the run (default: the last one that started the phase)")
    why.add_argument("--json", action="store_true", help="print it as JSON")


def add_shell(commands: Any) -> None:
    shell = commands.add_parser(
        "shell",
        help="open a shell on the tree of a phase, in the sandbox in which it was checked",
        description="Opens a shell on the tree that was checked last, with the dependencies of its setup, in the same "
        "sandbox: no network, a throw-away copy at the path of your project. What you change there is gone when you "
        "leave; your checkout is not touched. With a command, that command is run as a check is, and its exit status "
        "is passed on. It works for phases that failed, and beside a run.",
        epilog="Examples: autopilot shell 3; autopilot shell 3 -- pytest -x; autopilot shell 3 --before -- make test",
    )
    shell.add_argument("phase", metavar="PHASE", help="number of the phase")
    command = "command to run instead of a shell"
    shell.add_argument("arguments", nargs="*", default=[], metavar="-- COMMAND", help=command)
    tree = shell.add_mutually_exclusive_group()
    tree.add_argument("--before", action="store_true", help="the tree before the work of the phase")
    tree.add_argument("--at", metavar="COMMIT", help="the tree of this commit of the run, as `autopilot why` names it")
    shell.add_argument("--run", metavar="RUN", help="name of the run (default: the last one that started the phase)")


def add_transcript(commands: Any) -> None:
    transcript = commands.add_parser(
        "transcript",
        help="show what an agent said and did; without arguments, list its calls",
        description="Lists the calls of a run, of one phase, or shows the transcript of a step: what the agent "
        "printed, as it was recorded, without secrets. An agent's words are a claim and decide nothing. It only reads.",
        epilog="Examples: autopilot transcript; autopilot transcript 3; autopilot transcript 3 execute; "
        "autopilot transcript 3 03-01; autopilot transcript 3 12 --raw",
    )
    transcript.add_argument("phase", nargs="?", default="", metavar="PHASE", help="only calls of this phase")
    step = "a step (plan, execute, judge), a task (03-01), a role, or a number of the list"
    transcript.add_argument("step", nargs="?", default="", metavar="STEP", help=step)
    transcript.add_argument("--run", metavar="RUN", help="name of the run (default: the last one)")
    form = transcript.add_mutually_exclusive_group()
    form.add_argument("--raw", action="store_true", help="print the transcript as it was recorded, line by line")
    form.add_argument("--json", action="store_true", help="print calls and transcripts as JSON")


def add_web(commands: Any) -> None:
    web = commands.add_parser(
        "web",
        help="open a page in your browser: what waits for you, what happened, whether to believe it, what it cost",
        description="Serves a page over all your repositories, to this machine alone, until Ctrl-C. It prints a link "
        "that works once. The page follows runs live, shows the evidence behind every verdict, and answers gates as "
        "the commands do. Runs go on without it.",
        epilog="Examples: autopilot web; autopilot web --read-only . (this repository, and nothing can be decided)",
    )
    web.add_argument("repositories", nargs="*", metavar="REPO", help="only these repositories (default: all of yours)")
    web.add_argument("--port", type=whole_number(0, 65535), help="the port (default: 8787, or any free one)")
    web.add_argument("--listen", default="", metavar="ADDRESS", help="listen beyond this machine; needs TLS or a proxy")
    web.add_argument("--certificate", default="", metavar="FILE", help="with --listen: the certificate for TLS")
    web.add_argument("--key", default="", metavar="FILE", help="with --listen: the key of the certificate")
    web.add_argument(
        "--behind-proxy", default="", metavar="URL", help="the address of a proxy of yours that speaks TLS before it"
    )
    web.add_argument("--read-only", action="store_true", help="a page that cannot decide anything")
    token = "file with a token by which Prometheus reads /metrics, and nothing else"
    web.add_argument("--metrics-token", default="", metavar="FILE", help=token)
    web.add_argument("--no-open", dest="open", action="store_false", help="print the link, open no browser")


def add_trace(commands: Any) -> None:
    trace = commands.add_parser(
        "trace",
        help="send the trace of a run to the OpenTelemetry collector of your settings",
        description="Sends run, phases, steps, calls of agents, waits and gates as spans, made from the record. Ids "
        "follow from the run: what was sent before has the same. No prompt, reply, path, command or output is in them.",
    )
    trace.add_argument("run", nargs="?", metavar="RUN", help="name of the run (default: the last one)")


def add_mcp(commands: Any) -> None:
    mcp = commands.add_parser(
        "mcp",
        help="serve status, evidence, the map, gates and runs to another agent, as tools of the Model Context Protocol",
        description="Serves the repository to the client that started it, over its input and output, or with --http to "
        "clients on this machine that have the printed token. Runs are started with your settings and caps. An answer "
        "to a gate is recorded only when you confirm it in the client, which has to ask you.",
        epilog="Examples: claude mcp add autopilot -- autopilot mcp; codex mcp add autopilot -- autopilot mcp; "
        "autopilot mcp --read-only --http",
    )
    mcp.add_argument("repositories", nargs="*", metavar="REPO", help="these repositories (default: the current one)")
    mcp.add_argument("--http", action="store_true", help="listen at loopback instead, and print address and token")
    mcp.add_argument(
        "--port", type=whole_number(0, 65535), help="with --http: the port (default: 8788, or any free one)"
    )
    mcp.add_argument("--read-only", action="store_true", help="without the tools that start, stop and answer")


def add_log(commands: Any) -> None:
    log = commands.add_parser(
        "log",
        help="verify the record of runs, carry it to another machine",
        description="`autopilot log verify` verifies the record. What is in it: `autopilot watch --all` as progress, "
        "`autopilot watch --all --json` event by event, `autopilot transcript` what agents said.",
    ).add_subparsers(dest="action", metavar="ACTION")
    verify = log.add_parser(
        "verify",
        help="verify the integrity of the record",
        description="Verifies the hash chain and the signature of every event, and compares the chain with its anchor. "
        "Exit 6 when an event was changed, removed or inserted.",
    )
    verify.add_argument("--json", action="store_true", help="print the result as JSON")
    sealed = "sealed with AUTOPILOT_ARTEFACT_KEY; it holds no key of yours and no login"
    export = "write the record to one file, to go on on another machine"
    export_parser = log.add_parser("export", help=export, description=f"Events, texts and commits, {sealed}.")
    carried = "import a record that was exported elsewhere"
    about = f"Runs go on here as if begun here. FILE is {sealed}."
    import_parser = log.add_parser("import", help=carried, description=about)
    for parser in (export_parser, import_parser):
        parser.add_argument("file", metavar="FILE", help="the artefact")
