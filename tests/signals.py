"""Signals as a shell at a terminal gives them to a command, whoever started these tests.

A script that starts a command in the background lets it ignore SIGINT and SIGQUIT, ``nohup`` SIGHUP; what is ignored
is inherited by all that it starts. Python sets SIGINT up only when it is not ignored.
"""

from __future__ import annotations

import signal

INHERITED = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP, signal.SIGCHLD)
# Before a command that a test starts: it becomes the command, which then answers signals by their defaults.
AS_AT_A_TERMINAL = ("/usr/bin/env", "--default-signal=HUP,INT,QUIT,TERM,TSTP")


def restore_signals() -> None:
    """For this process, and so for all that it starts."""
    for number in INHERITED:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGINT, signal.default_int_handler)
