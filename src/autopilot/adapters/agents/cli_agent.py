"""An agent with a command line: found, given its desk, started in the sandbox, listened to, and tidied up after."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from autopilot.adapters.agents.credentials import Credentials
from autopilot.adapters.agents.dialect import Desk, Dialect, Program, Spelling
from autopilot.adapters.agents.listening import PartialReply, collect_reply
from autopilot.adapters.agents.prices import with_price
from autopilot.adapters.agents.signing import find_trouble
from autopilot.adapters.beneath import make_beneath, write_beneath
from autopilot.adapters.files import translated
from autopilot.adapters.git.removal import remove_tree
from autopilot.model.agent import AgentCall, AgentReply, Caps
from autopilot.model.agent_config import AgentConfig
from autopilot.model.egress import Egress
from autopilot.model.errors import AgentMissing, AutopilotError, Unavailable
from autopilot.model.pasting import ANY_FILE, Written, write_for_agent
from autopilot.model.secrecy.cutting import cut_beginning
from autopilot.ports.sandbox import CommandSpec, Exited, Mount, NeverRan, Profile, Sandbox
from autopilot.ports.transcripts import Transcripts

VERSION_LIMIT_S = 60.0


class CliAgent:
    def __init__(
        self,
        name: str,
        dialect: Dialect,
        config: AgentConfig,
        credentials: Credentials,
        sandbox: Sandbox,
        transcripts: Transcripts,
        environment: Mapping[str, str],
        egress: Egress | None = None,
        written: Written = ANY_FILE,
    ) -> None:
        """Without an ``egress`` it has the machine's network. ``written``: the settings that its remedies name."""
        self.name = name
        self._dialect = dialect
        self._config = config
        self._credentials = credentials
        self._sandbox = sandbox
        self._transcripts = transcripts
        self._environment = environment
        self._egress = egress
        self._written = written

    @cached_property
    def program(self) -> Program:
        return find_program(self.name, self._dialect, self._config, self._environment, self._written)

    @cached_property
    def _version(self) -> str:
        """Asked inside the sandbox: what cannot be started there cannot work there."""
        if self.program.version:
            return self.program.version
        with self._folder(None) as private:
            (private / "home" / "tmp").mkdir(parents=True)
            self._sandbox.give_away(private)
            spec = CommandSpec(
                argv=self._ask_version(),
                profile=Profile.AGENT,
                project=PurePosixPath(private),
                backing=PurePosixPath(private),
                mounts=tuple(Mount(path, path) for path in self._shown()),
                env={"HOME": str(private / "home"), "TMPDIR": str(private / "home" / "tmp")},
                timeout_s=VERSION_LIMIT_S,
                label=f"version of {self.name}",
            )
            running = self._sandbox.start(spec)
            lines = [line.decode(errors="replace").strip() for line in running.lines()]
            outcome = running.wait()
        if isinstance(outcome.ended, NeverRan):
            raise Unavailable(
                f"{self.name} could not be started: {outcome.ended.reason}",
                "`autopilot doctor` checks sandbox and agents",
            )
        if outcome.ended != Exited(0):
            output = cut_beginning(outcome.output.decode(errors="replace").strip(), 300)
            raise AgentMissing(f"{self.program.path} does not print its version: {output}", "install it again")
        # Warnings go to the other stream.
        return next((line[:80] for line in reversed(lines) if line), "unknown")

    def _ask_version(self) -> tuple[str, ...]:
        if self.program.ask_version:
            return (*self.program.ask_version, *self._config.args)
        return (str(self.program.path), "--version")

    def version(self) -> str:
        return self._version

    def trouble(self) -> AgentMissing | None:
        try:
            find_program(self.name, self._dialect, self._config, self._environment, self._written)
        except AgentMissing as missing:
            return missing  # before its sign-in: a program that is missing cannot be signed in
        login, environment = self._dialect.login, self._environment
        return find_trouble(self.name, login, self._credentials, self._config, environment, self._written)

    def call(self, call: AgentCall) -> AgentReply:
        call = replace(call, caps=_lowered(call.caps, self._config), model=call.model or self._config.model)
        with self._folder(call.context) as private:
            home = Path(call.home) if call.home else private / "home"
            desk = self._desk(private, home)
            spelling = self._dialect.spell(call, desk)
            given = self._lay_out(call, spelling, private, home)
            try:
                running = self._sandbox.start(self._spec(call, spelling, desk))

                def reader(lines: Iterable[bytes]) -> Iterator[PartialReply]:
                    for partial in self._dialect.read(lines, call, desk):
                        yield with_price(partial, call.model, self._config.price)

                return collect_reply(running, reader, call.caps, self._transcripts.open(self.name, call))
            finally:
                self._credentials.take_back(home, given)

    def _desk(self, private: Path, home: Path) -> Desk:
        key = self._credentials.key(self._config, self._environment)
        return Desk(self.program, self._config, PurePosixPath(private), PurePosixPath(home), key)

    def _lay_out(self, call: AgentCall, spelling: Spelling, private: Path, home: Path) -> Mapping[str, bytes]:
        """The credentials it is given."""
        with translated(private):
            (private / "prompt").write_bytes(call.prompt.encode(errors="replace"))
            for name, content in spelling.files.items():
                (private / name).write_bytes(content)
            home.mkdir(parents=True, exist_ok=True)
        make_beneath(home, "tmp")
        for name, content in spelling.home_files.items():
            write_beneath(home, name, content)
        given = self._credentials.put_into(home)
        for folder in (private, home):
            self._sandbox.give_away(folder)
        return given

    def _spec(self, call: AgentCall, spelling: Spelling, desk: Desk) -> CommandSpec:
        own = [Mount(desk.private, desk.private), Mount(desk.home, desk.home, writable=True)]
        context = [Mount(call.context, call.project / ".autopilot")] if call.context else []
        passed = {name: self._environment[name] for name in self._config.pass_env if name in self._environment}
        return CommandSpec(
            argv=spelling.argv,
            profile=Profile.AGENT,
            project=call.project,
            backing=call.workspace,
            layers=call.layers,
            search=call.search,
            mounts=(*(Mount(path, path) for path in self._shown()), *own, *context, *spelling.mounts),
            env={
                # Its own temporary folder: Codex refuses to work when its home lies below it.
                **{"HOME": str(desk.home), "TMPDIR": str(desk.home / "tmp")},
                **author(self.name),
                **spelling.env,
                **self._config.env,
                **passed,
            },
            network=self._egress is None,
            egress=self._egress,
            nested=self._config.own_sandbox,
            timeout_s=call.caps.wall_s,
            stall_s=call.caps.stall_s,
            stdin=desk.private / "prompt" if spelling.prompt_on_stdin else None,
            label=call.label,
        )

    def _shown(self) -> tuple[PurePosixPath, ...]:
        extra = (PurePosixPath(Path(folder).expanduser()) for folder in self._config.show)
        return (*self.program.shown, *extra)

    @contextmanager
    def _folder(self, context: PurePosixPath | None) -> Iterator[Path]:
        """Beside the context, so that what a killed run leaves behind goes with the workspace."""
        beside = Path(context).parent if context else None
        with translated(beside or Path(tempfile.gettempdir())):
            made = Path(tempfile.mkdtemp(prefix="call-", dir=beside))
        try:
            yield made
        finally:
            # Not by tempfile: it follows links that an agent left, and gives up where folders lie very deep.
            with suppress(AutopilotError):
                remove_tree(made)


def find_program(
    name: str, dialect: Dialect, config: AgentConfig, environment: Mapping[str, str], written: Written = ANY_FILE
) -> Program:
    wanted = config.program or dialect.program
    found = shutil.which(str(Path(wanted).expanduser()), path=environment.get("PATH", "")) if wanted else None
    if found is None:
        line = 'program = "/PATH/TO/IT"'
        hint = f"install {name}, or {write_for_agent(name, line, written, is_set=bool(config.program))}"
        where = "is not a program" if "/" in wanted else "is not on your PATH"
        raise AgentMissing(f"{wanted or name} {where}", hint)
    return dialect.locate(Path(found))


def author(name: str) -> dict[str, str]:
    """Whom its commits are by, in its own clone; what is taken in is committed by us."""
    return {
        f"GIT_{who}_{variable}": value
        for who in ("AUTHOR", "COMMITTER")
        for variable, value in (("NAME", name), ("EMAIL", f"{name}@autopilot.invalid"))
    }


def _lowered(caps: Caps, config: AgentConfig) -> Caps:
    """The user's caps for this agent can only lower those of the call."""
    return Caps(
        wall_s=min(caps.wall_s, config.wall_s or caps.wall_s),
        stall_s=min(caps.stall_s, config.stall_s or caps.stall_s),
        tokens=caps.tokens if config.tokens is None else min(caps.tokens, config.tokens),
        usd=caps.usd if config.usd is None else min(caps.usd, config.usd),
        reply_bytes=caps.reply_bytes,
    )
