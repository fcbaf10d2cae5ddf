"""``autopilot``: maps a command to its door. Hot commands are answered before anything heavy is imported."""

from __future__ import annotations

import os
import sys


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    _open_closed_streams()
    if words in (["--version"], ["-V"]):
        from autopilot import __version__

        if _is_written(f"autopilot {__version__}\n"):
            return 0
    if words[:1] == ["status"] and words[1:] in ([], ["--line"], ["--json"]):
        from autopilot.cli.quick_status import read_prepared_status

        said = read_prepared_status("".join(words[1:]))
        if said is not None and _is_written(f"{said}\n"):
            return 0
    from autopilot.cli.dispatch import dispatch

    return dispatch(words)


def _open_closed_streams() -> None:
    """A caller may have closed them (``>&-``): whatever is opened next would get their numbers, and be printed into."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, number)  # it may have that number already
            if null != number:
                os.close(null)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115


def _is_written(text: str) -> bool:
    """Whether standard output took it; where it did not, the command itself says why."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
