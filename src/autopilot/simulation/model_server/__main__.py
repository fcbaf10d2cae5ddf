"""The scripted model server as a program: serves until it is stopped."""

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
    parser.add_argument("--script", type=Path, required=True, help="script of the model, as JSON")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: any free port)")
    parser.add_argument("--port-file", type=Path, help="write the port to this file once the server listens")
    parser.add_argument("--log", type=Path, help="append each request to this file as a line of JSON")
    options = parser.parse_args()
    # Blocked before any thread starts, so that all threads inherit it and only this one receives the signal.
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        with _serve(load_model_script(options.script), options.log, options.port) as server:
            if options.port_file:
                write_atomically(options.port_file, server.url.rpartition(":")[2].encode())
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
        raise UsageError(
            f"cannot listen on port {port}: {error}", "choose another port, or omit --port for any free one"
        ) from error


if __name__ == "__main__":
    sys.exit(main())
