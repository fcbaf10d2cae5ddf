"""A check that never ran: its program, its script or what they need is not there.

What is said here was printed by shells, package managers and interpreters before any check began. A tool that ran and
printed findings, or tests, was run, whatever it says beside them: the caller asks that first.
"""

from __future__ import annotations

import re

from autopilot.text.lazy_regex import lazy_regex

NOT_EXECUTABLE, NOT_FOUND = 126, 127
LAST_LINES = 60  # what could not be started says so at the end
LONGEST_LINE = 500

_WORD = r"[`'\"]?([^\s`'\":]{1,120})[`'\"]?"
_INSTALL = "let `project.commands.setup` install it"
_CORRECT = "correct the command in `project.commands`"
_MODULE, _PACKAGE, _SCRIPT = "the Python module {0} is not installed", "{0} is not installed", "no script {0}"
_NPX, _MANIFEST, _VERSION = "what npx calls is not installed", "no package.json", "it needs other versions of its tools"
_MODULES, _OPTION = "its node_modules are not installed", "this node has no option {0}"
# In this order: the first that is found is the reason, and a cause goes before what follows from it.
_REASONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (lazy_regex(rf"(?:^|[\s/])python[\w.]{{0,10}}: No module named {_WORD}"), _MODULE),
    (lazy_regex(rf"(?:^|[\s/])python[\w.]{{0,10}}: can't open file {_WORD}"), "there is no file {0}"),
    (lazy_regex(rf"(?i)Missing script: {_WORD}|Couldn't find a script named {_WORD}"), _SCRIPT),
    (lazy_regex(rf"(?i)Script not found {_WORD}|^error Command {_WORD} not found"), _SCRIPT),
    (lazy_regex(rf"ERR_PNPM_\w{{1,60}}\s{{1,4}}Command {_WORD} not found"), _SCRIPT),
    (lazy_regex(r"npx canceled due to missing packages|could not determine executable to run"), _NPX),
    # What a tool would fetch before it begins: checks run without a network.
    (lazy_regex(r"npm (?:error|ERR!) request to https?://\S{1,200}?/([^/\s]{1,120}) failed"), _PACKAGE),
    (lazy_regex(r"npm (?:error|ERR!) code (?:EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED|ETIMEDOUT)"), _NPX),
    (lazy_regex(r"ERR_PNPM_NO_IMPORTER_MANIFEST|Could(?:n't find a| not read) package\.json"), _MANIFEST),
    (lazy_regex(r"node_modules missing, did you mean to install"), _MODULES),
    (lazy_regex(r"ERR_PNPM_(?:UNSUPPORTED_ENGINE|BAD_PM_VERSION)|code EBADENGINE"), _VERSION),
    (lazy_regex(rf"^node: bad option: {_WORD}|^node: {_WORD} is not allowed in NODE_OPTIONS"), _OPTION),
    (lazy_regex(r"Cannot find (?:module|package) '([^./'][^']{0,120})'(?: imported from|$)"), _PACKAGE),
    (lazy_regex(rf"Failed to spawn: {_WORD}|Command not found: {_WORD}"), _PACKAGE),
    (lazy_regex(rf"error: no such (?:sub)?command: {_WORD}"), "cargo has no command {0}"),
    (lazy_regex(r"could not find `Cargo\.toml`"), "there is no Cargo.toml"),
    (lazy_regex(r"go\.mod file not found|cannot find main module|does not contain main module"), "there is no go.mod"),
    (lazy_regex(rf"No rule to make target {_WORD}"), "the Makefile has no target {0}"),
    (lazy_regex(r"No targets specified and no makefile found"), "there is no Makefile"),
    (lazy_regex(rf"^[/\w]{{0,20}}sh: (?:line )?(?:\d{{1,6}}: )?{_WORD}: (?:command )?not found$"), _PACKAGE),
)
# These are said of any file that a running check reads: they count where the exit status says the same.
_BY_STATUS: tuple[tuple[re.Pattern[str], str], ...] = (
    (lazy_regex(rf"(?:^|: ){_WORD}: (?:command )?not found$"), _PACKAGE),
    (lazy_regex(rf"(?:^|: ){_WORD}: No such file or directory$"), "there is no {0}"),
    (lazy_regex(rf"(?:^|: ){_WORD}: Permission denied$"), "{0} may not be executed"),
)
_MAKE_STATUS = lazy_regex(r"^make(?:\[\d{1,3}\])?: \*\*\* .{0,300}Error 12[67]$")


def why_not_run(exit_code: int | None, output: str) -> str:
    """Why a red command never ran, with what to do; "" for one that ran."""
    if not exit_code:
        return ""
    lines = [line[:LONGEST_LINE].strip() for line in output.splitlines()[-LAST_LINES:]]
    by_status = exit_code in (NOT_EXECUTABLE, NOT_FOUND) or any(map(_MAKE_STATUS.match, lines))
    for pattern, reason in (*_REASONS, *_BY_STATUS) if by_status else _REASONS:
        if found := next(filter(None, map(pattern.search, lines)), None):
            named = reason.format(next(filter(None, found.groups()), ""))
            return f"{named}; {_INSTALL if named.endswith('installed') else _CORRECT}"
    return f"it ended with exit status {exit_code} before it began; {_CORRECT}" if by_status else ""
