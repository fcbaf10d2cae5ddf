"""Just enough shell to see which parts of a command decide its exit status."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "\n")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_NO_FAIL = re.compile(r"(?:true|:|echo\b.*|printf\b.*|exit\s+0)\s*", re.DOTALL)
_ECHO_STATUS = re.compile(r";\s*echo\s+(['\"]?)EXIT:\s*\$\?\1\s*;?\s*\Z", re.IGNORECASE)
_NESTED = re.compile(r"(?:ba|da|z|k)?sh\s+-\w*c\s+(['\"])(.*)\1\s*|\((.+)\)|\{\s(.+)[;\n]\s*\}", re.DOTALL)
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


class Part(Struct, frozen=True):
    """One simple command and the operator that stands before it ("" for the first)."""

    before: str
    text: str


def normalise_command(command: str) -> str:
    """What is really run: the sources' ``; echo EXIT:$?`` is taken off, so the command's own status is seen."""
    return _ECHO_STATUS.sub("", command.strip()).strip()


def cannot_fail(command: str) -> str:
    """Why this command exits 0 whatever happens, or "" when it can fail."""
    normal = normalise_command(command)
    parts = [part for part in split_parts(normal) if part.text]
    if not parts:
        return "there is nothing to run"
    if re.search(r"(?<![&>|])&\s*\Z", normal) and not normal.endswith("&&"):
        return "it runs in the background"
    if all(_never_fails(part.text) for part in parts):
        return "it only prints or does nothing"
    last = parts[-1]
    decides = last.before in {"", "||"} or (last.before in {";", "\n", "&"} and not _stops_at_errors(parts))
    if decides and (nested := _NESTED.fullmatch(last.text)):
        return cannot_fail(nested[2] or nested[3] or nested[4])
    if last.before == "||" and _never_fails(last.text):
        return f"a failure is swallowed by `|| {_short(last.text)}`"
    if decides and _never_fails(last.text):
        return f"it ends in `{_short(last.text)}`, whose status hides the rest"
    return ""


def only_looks(command: str) -> bool:
    """Whether every part only looks at text or files (grep, test -f, wc, ls): structure, not behaviour."""
    words = [_program(part.text) for part in split_parts(command) if part.text]
    return bool(words) and all(word in _LOOKERS for word in words)


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
    index, depth, quote = 0, 0, ""
    while index < len(command):
        char = command[index]
        if quote:
            if char == "\\" and quote != "'":
                index += 1
            elif char == quote:
                quote = ""
        elif char == "\\":
            index += 1
        elif char in "'\"`":
            quote = char
        elif char in "({":
            depth += 1
        elif char in ")}":
            depth = max(0, depth - 1)
        elif char == "#" and (index == 0 or command[index - 1].isspace()):
            index = _line_end(command, index) - 1
        elif char == "<" and (found := _HEREDOC.match(command, index)):
            index = _heredoc_end(command, found)
        elif depth == 0 and (operator := _operator_at(command, index)):
            yield index, operator
            index += len(operator) - 1
        index += 1


def _operator_at(command: str, index: int) -> str:
    redirects = command[index] == "&" and (
        command[index - 1 : index] in {">", "<"} or command[index + 1 : index + 2] == ">"
    )
    if redirects or (command[index] == "|" and command[index - 1 : index] == ">"):
        return ""
    return next((operator for operator in _OPERATORS if command.startswith(operator, index)), "")


def _heredoc_end(command: str, found: re.Match[str]) -> int:
    end = re.compile(rf"^\s*{re.escape(found[2])}\s*$", re.MULTILINE).search(command, _line_end(command, found.end()))
    return end.end() - 1 if end else found.end() - 1


def _line_end(command: str, index: int) -> int:
    end = command.find("\n", index)
    return len(command) if end == -1 else end


def _strip_comment(text: str) -> str:
    stripped = text.strip()
    mark = stripped.rfind(" # ")
    if mark != -1 and not any(char in stripped[mark:] for char in "'\"\n"):
        stripped = stripped[:mark].rstrip()
    return "" if stripped.startswith("#") else stripped


def _never_fails(text: str) -> bool:
    return _NO_FAIL.fullmatch(text) is not None and "$(" not in text


def _stops_at_errors(parts: list[Part]) -> bool:
    return re.match(r"set\s+-\w*e", parts[0].text) is not None


def _program(text: str) -> str:
    words = [word for word in re.split(r"[\s(){}]+", text) if word and not re.match(r"\w+=", word) and word != "!"]
    return words[0].rsplit("/", 1)[-1] if words else ""


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:27] + "…"
