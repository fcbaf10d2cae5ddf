"""The scripted model server as a program: serves until it is told to stop."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from autopilot.adapters.files import write_atomically
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.simulation.model_server.script import ModelScript, load_model_script
from autopilot.simulation.model_server.server import ModelServer

ENDS = {signal.SIGINT, signal.SIGTERM}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autopilot.simulation.model_server", description=__doc__)
    parser.add_argument("--script", type=Path, required=True, help="what the model says, as JSON")
    parser.add_argument("--port", type=int, default=0, help="where to listen on 127.0.0.1 (default: any that is free)")
    parser.add_argument("--port-file", type=Path, help="where to write the port once the server listens")
    parser.add_argument("--log", type=Path, help="where to add each request as a line of JSON")
    given = parser.parse_args()
    # Blocked before any thread starts, so that every thread inherits it and only this one takes the signal.
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        with _serve(load_model_script(given.script), given.log, given.port) as server:
            if given.port_file:
                write_atomically(given.port_file, server.url.rpartition(":")[2].encode())
            sys.stdout.write(f"{server.url}\n")
            sys.stdout.flush()
            signal.sigwait(ENDS)
    except AutopilotError as error:
        sys.stderr.write(f"{error}\n{error.hint}\n")
        return error.exit_status
    return 0


def _serve(script: ModelScript, log: Path | None, port: int) -> ModelServer:
    try:
        return ModelServer(script, log, port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen on port {port}: {error}", "choose another, or none for any") from error


if __name__ == "__main__":
    sys.exit(main())
