"""Surroundings that a user may have and a check has not: another time zone, home, terminal, language, folder.

Each is tried only where new code names what reads it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from autopilot.text.file_kind import suffix_of
from autopilot.text.lazy_regex import lazy_regex

_SHELL = (".sh", ".bash", ".bats")


class Surroundings(Struct, frozen=True):
    """One thing that is otherwise. ``reads``: what in code asks for it."""

    name: str  # "time zone America/Anchorage"
    lines: str  # of the shell, before the command
    reads: re.Pattern[str]
    asked_by: re.Pattern[str]  # words of a user who wants it to matter
    is_for_scripts: bool = False  # of the shell: whatever they name
    in_tests: re.Pattern[str] | None = None  # what tests have to look at for it to matter


_ZONE_READ = lazy_regex(
    r"\blocaltime\b|\bmktime\b|\bfromtimestamp\b|\.timestamp\(|\bdatetime\.(?:now|today)\b|\bdate\.today\b"
    r"|\bastimezone\(|\.timezone\b(?![.(])|\btime\.(?:strftime|ctime|asctime)\b"
    # A date by its parts; one of a text or a number names its zone.
    r"|\bnew Date\([^()\n]{1,80},|\.[gs]et(?:Hours|Date|Day|Month|FullYear)\(|\bgetTimezoneOffset\b|\bDateTimeFormat\b"
    r"|\btoLocale(?:Date|Time)?String\b|\btime\.(?:Unix|UnixMilli|Now|Local|ParseInLocation)\b|\.Local\(\)|\bLocal::"
    r"|\bTime\.(?:now|at|local|mktime)\b|\bstrtotime\(|(?<![\w.])date\(\s*[\"']|\$\(date\b|(?:^|[|;&{(]|\s)date\s+[-+]",
    re.MULTILINE,
)
_LANGUAGE_READ = lazy_regex(
    r"\blocale\b|\bLANG\b|\bLANGUAGE\b|\bLC_[A-Z]+\b|\bsetlocale\b|\btoLocale\w+\(|\bIntl\.|\blocaleCompare\b|\bnl_langinfo\b"
)
_HOME_READ = lazy_regex(
    r"\bHOME\b|\bexpanduser\b|\bhomedir\b|\bPath\.home\b|\bUserHomeDir\b|\bUSER\b|\bLOGNAME\b|\bgetuser\b|\bgetlogin\b"
    r"|\bwhoami\b|\buserInfo\b|\bgetpwuid\b|[\"'\s]~/"
)
_TERMINAL_READ = lazy_regex(
    r"\bget_terminal_size\b|\bCOLUMNS\b|\bstdout\.columns\b|\btput\b|\bTERM\b|\bgetWindowSize\b|\bGetSize\("
)
_HASH_READ = lazy_regex(r"\bset\(|\bfrozenset\(|\bhash\(|\{[^{}:]{1,200} for ")
_FOLDER_READ = lazy_regex(
    r"\bshell\s*=\s*True\b|\bos\.system\(|\bos\.popen\(|\bexec(?:Sync)?\(\s*[`'\"]|\bshlex\.split\("
)
_WRITE = lazy_regex(
    r"\bopen\(|\bwrite\w*\(|\bmkdir|\bmakedirs\(|\btouch\b|\bos\.Create\(|\bWriteFile\(|\bcp\b|\bcopy\w*\(|>\s*\"?\$"
)
_MODE = lazy_regex(r"\bst_mode\b|\bS_IMODE\b|\bstat\s+-c\b|\.mode\b|\.Mode\(\)|\.Perm\(\)|\b0o[0-7]{3}\b")

# What is installed for the user stays where it is: only code that asks for the home is to find another one.
_OTHER_HOME = """for pair in GOCACHE=.cache/go-build GOPATH=go CARGO_HOME=.cargo RUSTUP_HOME=.rustup \
PYTHONUSERBASE=.local npm_config_cache=.npm GEM_HOME=.gem; do
name=${pair%%=*}
[ -n "${!name:-}" ] || [ ! -e "$HOME/${pair#*=}" ] || export "$name=$HOME/${pair#*=}"
done
export HOME="$(mktemp -d)" USER=robin LOGNAME=robin"""
# Packages are not copied: they may be large, and are found by their links.
_OTHER_FOLDER = """other="$(mktemp -d)/my work"
mkdir "$other"
for entry in * .[!.]*; do
case $entry in
node_modules|.venv|venv|vendor|target) ln -s "$PWD/$entry" "$other/$entry" ;;
*) [ ! -e "$entry" ] || cp -a "$entry" "$other/" ;;
esac
done
cd "$other"
"""

SURROUNDINGS = (
    Surroundings(
        "the time zone America/Anchorage",
        "export TZ=America/Anchorage",
        _ZONE_READ,
        lazy_regex(r"time\s?zones?\b|\blocal (?:time|dates?|days?|hours?|clock)\b", re.IGNORECASE),
    ),
    Surroundings(
        "another language (LANG=C, LC_MESSAGES=de_DE.UTF-8)",
        "export LANG=C LC_MESSAGES=de_DE.UTF-8",
        _LANGUAGE_READ,
        lazy_regex(r"\blocales?\b|\blanguages?\b|\blocali[sz]\w+|\btranslat\w+|\bLANG\b", re.IGNORECASE),
    ),
    Surroundings(
        "another HOME and USER",
        _OTHER_HOME,
        _HOME_READ,
        lazy_regex(r"\bhome (?:folder|directory)\b|\buser'?s? name\b|\bHOME\b|\bUSER\b"),
    ),
    Surroundings(
        "a narrow terminal (COLUMNS=40)",
        "export COLUMNS=40 LINES=20 TERM=xterm-256color",
        _TERMINAL_READ,
        lazy_regex(r"\bterminals?\b|\bCOLUMNS\b|\bscreen\b|\bwidth of the\b", re.IGNORECASE),
    ),
    Surroundings(
        "another PYTHONHASHSEED",
        "export PYTHONHASHSEED=20011",
        _HASH_READ,
        lazy_regex(r"\bany order\b|\bunordered\b|\brandom\b", re.IGNORECASE),
    ),
    Surroundings(
        "a folder with a space in its path",
        _OTHER_FOLDER,
        _FOLDER_READ,
        lazy_regex(r"\bspaces?\b", re.IGNORECASE),
        is_for_scripts=True,
    ),
    Surroundings(
        "umask 077",
        "umask 077",
        _WRITE,
        lazy_regex(r"\bumask\b", re.IGNORECASE),
        in_tests=_MODE,
    ),
)


def choose_surroundings(added: Mapping[str, Sequence[str]], tests: Iterable[str]) -> tuple[Surroundings, ...]:
    """``added``: new lines of the product by file, without comments. ``tests``: texts of the tests that are run."""
    texts, code = list(tests), {path: "\n".join(lines) for path, lines in added.items()}
    return tuple(single for single in SURROUNDINGS if _may_matter(single, code) and _is_looked_at(single, texts))


def _may_matter(single: Surroundings, code: Mapping[str, str]) -> bool:
    return any(
        (single.is_for_scripts and text and suffix_of(path) in _SHELL) or single.reads.search(text)
        for path, text in code.items()
    )


def _is_looked_at(single: Surroundings, tests: Sequence[str]) -> bool:
    return single.in_tests is None or any(single.in_tests.search(text) for text in tests)


def rests_on(single: Surroundings, test: str) -> bool:
    """Whether a test itself reads what is otherwise: then what it expects may be what it saw here."""
    unquoted = single.is_for_scripts and re.search(r"(?<![\"\w{$])\$\{?(?:PWD|BATS_\w+|HOME|TMPDIR)\b", test)
    return single.in_tests is None and bool(single.reads.search(test) or unquoted)


def spell_in_surroundings(command: str, some: Sequence[Surroundings]) -> str:
    """What is set up is one argument, so that a reading of the command for its test tools finds these alone."""
    lines = base64.b64encode("\n".join(single.lines for single in some).encode()).decode()
    return f'eval "$(base64 -d <<< {lines})"\n{command}'
