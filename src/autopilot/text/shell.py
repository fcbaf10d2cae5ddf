"""Which parts of a shell command decide its exit status."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.shell_tokens import Operator, read_shell

_ANY_OPERATOR = lazy_regex(r"&&|\|\||;;|\|&|[;|&\n]")
_CONSTANT = r"(?:test|\[{1,2})\s+(?:-n\s+)?(\"?[\w.]+\"?)(?:\s+(?:==?|-eq)\s+\1)?(?:\s+\]{1,2})?"
_TRUE = r"(?:(?:command|builtin|exec|env)\s+)?(?:/(?:usr/)?bin/)?true"
_ANY_STATUS = r"(?:test|\[{1,2})\s+\"?\$\?\"?\s+-(?:ge\s+0|gt\s+-\d+|lt\s+256|le\s+255)(?:\s+\]{1,2})?"
_EMPTY = r"(?:test|\[{1,2})\s+-z\s+(?:''|\"\")(?:\s+\]{1,2})?"
_NO_FAIL = lazy_regex(
    rf"(?:{_TRUE}|:|echo\b.*|printf\b.*|(?:exit|return)\s+0|pwd|date|whoami|wait|disown|!\s*(?:false|/bin/false)|"
    rf"sleep\s+[\d.]+|{_CONSTANT}|{_ANY_STATUS}|{_EMPTY})\s*",
    re.DOTALL,
)
# It prints what another command says; how that one ended is lost.
_PRINTS_OUTPUT = lazy_regex(
    r"(?:echo|printf)\s(?!.*[|<>]).*(?:\$\(|`)|(?:export|readonly|local|declare)\s+\w+=.*(?:\$\(|`)", re.DOTALL
)
_LEADING = lazy_regex(r"(?:then|else|do)\b\s*")
_EXITS = lazy_regex(r"(?:^|[;&|({\n]|\b(?:then|else|do)\b)[ \t]*exit\b(?!\s+0\b)")
# What surrounds commands without being one: quoted words, comments, here-documents.
_QUOTED = lazy_regex(
    r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"|(?<!\S)#[^\n]*|"
    r"(?<!<)<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1([^\n]*)\n.*?(?:^[ \t]*\2[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_GOOD = lazy_regex(r"\b(?:PASS(?:ED)?|OK|SUCCESS|VALID|GOOD)\b|[✓✔✅]", re.IGNORECASE)
_BAD = lazy_regex(r"\bFAIL(?:S|ED|URE)?\b|[✗✘❌]", re.IGNORECASE)
_ECHO_STATUS = lazy_regex(r";\s*echo\s+(['\"]?)EXIT:\s*\$\?\1\s*;?\s*\Z", re.IGNORECASE)
_BEFORE = r"(?:(?:timeout(?:\s+-\S+)*\s+\S+|env|exec|time|nice|command|nohup|[A-Za-z_]\w*=\S*)\s+)*"
_NESTED = lazy_regex(
    rf"{_BEFORE}(?:(?:\S*/)?(?:ba|da|z|k)?sh(?:\s+-[\w-]+)*?\s+-\w*c|eval)\s+(['\"])(.*)\1\s*|\((.+)\)",
    re.DOTALL,
)
_SUBSTITUTED = lazy_regex(r"\$\(([^()]*+)|`([^`]*+)`")
_GROUP = lazy_regex(r"\{\s")
_TRAP = lazy_regex(r"trap\s+(?:'\s*exit\s+0\s*+;?\s*'|\"\s*exit\s+0\s*+;?\s*\")\s+(?:\w+\s+)*(?:EXIT|0|ERR)\b")
_SETS = lazy_regex(
    r"set\s+(?P<sign>[-+])(?:\w*e\w*\b|\w*o\s+errexit\b)|set\s.*\s(?P<late>[-+])(?:o\s+errexit|\w*e\w*)\b"
)
_LOOKERS = {
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "test",
    "[",
    "[[",
    "wc",
    "ls",
    "find",
    "stat",
    "head",
    "tail",
    "cat",
    "sort",
}
_LOOKERS |= {"uniq", "cut", "tr", "awk", "sed", "echo", "printf", "true", ":", "cd", "!", "exit"}


EMPTY = "the command is empty"
ONLY_PRINTS = "it only prints or does nothing"
IN_BACKGROUND = "it runs in the background"


class Part(Struct, frozen=True):
    """One simple command and the operator that stands before it ("" for the first)."""

    before: str
    text: str


def normalise_command(command: str) -> str:
    """What is really run: the sources' ``; echo EXIT:$?`` is taken off, so the command's own status is seen."""
    return _ECHO_STATUS.sub("", command.strip()).strip()


def unmask(command: str) -> str:
    """``check && echo PASS || echo FAIL`` without its second half, which would hide that the check failed.

    Only where the words leave no doubt which half is the good one: ``grep bad f || echo clean`` means the opposite.
    """
    parts = [part for part in split_parts(command) if part.text]
    if len(parts) < 2 or parts[-1].before != "||" or not _prints(parts[-1].text):
        return command
    before, last = parts[-2], parts[-1]
    praised = before.before == "&&" and _prints(before.text) and _GOOD.search(before.text)
    blamed = _BAD.search(last.text) and not (_prints(before.text) and _BAD.search(before.text))
    if _GOOD.search(last.text) or not (praised or blamed):
        return command
    end = [index for index, operator in _operators(command) if operator == "||"][-1]
    return command[:end].strip()


def cannot_fail(command: str) -> str:
    """Why this command exits 0 whatever happens, or "" when it can fail."""
    normal = normalise_command(command)
    parts = [part for part in split_parts(normal) if part.text]
    if not parts:
        return EMPTY
    if _EXITS.search(bare(normal)):
        return ""
    if re.search(r"(?<![&>|])&\s*\Z", normal) and not normal.endswith("&&"):
        return IN_BACKGROUND
    if all(_never_fails(part.text) for part in parts):
        return ONLY_PRINTS
    if any(_TRAP.match(part.text) for part in parts):
        return "its trap makes it exit with 0"
    if _never_fails(parts[0].text) and all(part.before == "||" for part in parts[1:]):
        return f"what follows `{_short(parts[0].text)} ||` is never run"
    last = parts[-1]
    decides = last.before in {"", "||"} or (last.before in {";", "\n", "&"} and not _stops_at_errors(parts))
    if decides and (nested := _nested(last.text)):
        return cannot_fail(nested)
    if last.before == "||" and _never_fails(last.text):
        return f"a failure is swallowed by `|| {_short(last.text)}`"
    if decides and (_never_fails(last.text) or _PRINTS_OUTPUT.match(last.text)):
        return f"it ends in `{_short(last.text)}`, whose exit status hides the status of the rest"
    if decides and last.text == "fi" and all(_never_fails(text) for text in _branch_ends(parts)):
        return "every branch of its `if` succeeds"
    return ""


def prints_itself(command: str, expected: str) -> bool:
    """Whether the command prints this text whatever happens: ``a; echo done`` prints "done" however ``a`` ends."""
    parts = [part for part in split_parts(command) if part.text]
    if not parts or _stops_at_errors(parts):
        return False
    follows = [part.before for part in parts[1:]] + [""]
    always = [
        part.text
        for part, after in zip(parts, follows, strict=True)
        if part.before in {"", ";", "\n", "&"} and after not in {"|", "|&"}
    ]
    return any(_prints(text) and expected in text for text in always)


def only_looks(command: str) -> bool:
    """Whether every part only looks at text or files (grep, test -f, wc, ls): structure, not behaviour."""
    programs = [_program(part.text) for part in split_parts(command) if part.text]
    return bool(programs) and all(word in _LOOKERS for word in programs)


def runs_program(command: str) -> bool:
    """Whether a substitution in it runs anything that does more than look."""
    found = (match[1] or match[2] for match in _SUBSTITUTED.finditer(command))
    return any(inner.strip() and not only_looks(inner) for inner in found)


def split_parts(command: str) -> tuple[Part, ...]:
    """Cut at top-level operators; quotes, substitutions, groups and here-documents stay whole."""
    parts: list[Part] = []
    before, start = "", 0
    for index, operator in _operators(command):
        parts.append(Part(before, _strip_comment(command[start:index])))
        before, start = operator, index + len(operator)
    parts.append(Part(before, _strip_comment(command[start:])))
    return tuple(parts)


def _operators(command: str) -> Iterator[tuple[int, str]]:
    shell = read_shell(command)
    if shell is None:  # the parser timed out: cut wherever an operator could stand
        yield from ((found.start(), found[0]) for found in _ANY_OPERATOR.finditer(command))
    else:
        operators = (token for token in shell.tokens if isinstance(token, Operator) and not token.depth)
        yield from ((operator.start, operator.text) for operator in operators if operator.text not in "()")


def _strip_comment(text: str) -> str:
    stripped = text.strip()
    mark = stripped.rfind(" # ")
    if mark != -1 and not any(char in stripped[mark:] for char in "'\"\n"):
        stripped = stripped[:mark].rstrip()
    return "" if stripped.startswith("#") else stripped


def bare(command: str) -> str:
    """The command without what it quotes: a word that is left is a word the shell itself reads."""
    return _QUOTED.sub(lambda found: "''" if found[0][0] in "'\"" else found[3] or " ", command)


def _never_fails(text: str) -> bool:
    plain = _LEADING.sub("", text, count=1)
    return _NO_FAIL.fullmatch(plain) is not None and "$(" not in text


def _prints(text: str) -> bool:
    return _never_fails(text) and re.match(r"(?:(?:then|else|do)\s+)?(?:echo|printf)\b", text) is not None


def _branch_ends(parts: list[Part]) -> Iterator[str]:
    """The last command of every branch of the ``if`` that ends here; an unknown one counts as able to fail."""
    depth = 0
    for index in range(len(parts) - 1, -1, -1):
        text = parts[index].text
        word = text.split(None, 1)[0]
        ends_branch = depth == 1 and word in {"elif", "else"}
        depth += (text == "fi") - (word == "if")
        if (ends_branch or (depth == 1 and text == "fi")) and index:
            yield parts[index - 1].text
        if depth <= 0:
            return


def _nested(command: str) -> str:
    """What a command hands to another shell, or groups: ``bash -c '…'``, ``(…)``, ``{ …; }``."""
    if found := _NESTED.fullmatch(command):
        return found[2] or found[3] or ""
    body = command[1:-1].rstrip(" \t") if _GROUP.match(command) and command.endswith("}") else ""
    return body[:-1] if body.endswith((";", "\n")) else ""


def _stops_at_errors(parts: list[Part]) -> bool:
    """Whether ``set -e`` holds where the last part stands: a later ``set +e`` takes it back."""
    signs = [found["sign"] or found["late"] for part in parts[:-1] if (found := _SETS.match(part.text))]
    return signs[-1:] == ["-"]


def _program(text: str) -> str:
    tokens = [word for word in re.split(r"[\s(){}]+", text) if word and not re.match(r"\w+=", word) and word != "!"]
    return tokens[0].rsplit("/", 1)[-1] if tokens else ""


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:27] + "…"
