"""``autopilot``: maps a command to its door. Hot commands are answered before anything heavy is imported."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if words in (["--version"], ["-V"]):
        from autopilot import __version__

        sys.stdout.write(f"autopilot {__version__}\n")
        return 0
    if words[:1] == ["status"] and words[1:] in ([], ["--line"], ["--json"]):
        from autopilot.cli.quick_status import read_prepared_status

        if (said := read_prepared_status("".join(words[1:]))) is not None:
            sys.stdout.write(f"{said}\n")
            return 0
    from autopilot.cli.dispatch import dispatch

    return dispatch(words)


if __name__ == "__main__":
    sys.exit(main())
