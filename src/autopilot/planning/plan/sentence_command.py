"""Sentences that are commands: "`pnpm lint` passes", "Typecheck passes", "All existing tests still pass".

Only whole sentences of these forms, and only commands that check: a sentence that says more ("… with 80 % coverage",
"… and no warnings", "… in CI", "… with no new errors") says something its exit status would not show, and stays prose.
"""

from __future__ import annotations

import re

from autopilot.model.policy import Commands
from autopilot.text.lazy_regex import lazy_regex

_LONGEST = 300
_ERRORS = r"(?:(?:type|lint|build|compile|compilation|compiler|typescript|ts|eslint|test)\s)?(?:errors?|failures?)"
_WELL = (
    r"(?:(?:still|also|now|always|must|should|continues?\sto)\s){0,2}(?:pass(?:es)?(?:\s100\s?%)?|succeeds?|(?:is|are|stays?|remains?|be)\s(?:green|clean)|"
    r"exits?\s(?:with\s)?(?:code\s|status\s)?(?:0|zero)|completes?\ssuccessfully|runs?\s(?:successfully|cleanly))"
    r"(?:\s(?:cleanly|successfully))?(?:,?\s(?:with\s)?(?:no|zero|0|without(?:\sany)?)\s" + _ERRORS + r")?"
    r"(?:\s\(exit\s(?:code|status):?\s0\))?"
)
_QUOTED = lazy_regex(rf"(?:running\s)?`([^`\n]{{2,200}})`\s{_WELL}\.?\Z", re.IGNORECASE)
_SCRIPT = (
    r"(?:test|tests|lint|build|typecheck|type-check|check-types|types|tsc|check|verify|validate|ci|compile|e2e|unit|quality|"
    r"coverage)(?:[:.-][\w:.-]{1,40})?"
)
_TOOLS = (
    r"tsc|vue-tsc|svelte-check|eslint|oxlint|stylelint|jest|vitest|mocha|tape|ava|playwright\stest|pytest|unittest|mypy|pyright|"
    r"ruff\scheck|flake8|pylint|tox|nox|rspec|rubocop|phpunit|phpstan|shellcheck|bats|ansible-lint|yamllint|golangci-lint|"
    r"staticcheck|ctest|biome\s(?:check|lint|ci)|(?:black|isort|prettier)(?=\s[^\n]{0,200}--check)"
)
_CHECK = lazy_regex(
    r"(?:[A-Z_]{1,30}=[\w.-]{1,30}\s){0,3}(?:"
    rf"(?:npm|pnpm|yarn|bun)(?:\s-[\w-]{{1,30}}(?:[\s=][\w@./*-]{{1,60}})?){{0,3}}\s(?:run\s)?{_SCRIPT}|"
    rf"(?:(?:npx|pnpm\sexec|yarn|bunx|uv\srun|poetry\srun|pdm\srun|hatch\srun|bundle\sexec|(?:[\w./-]{{1,60}}/)?python3?\s-m)\s)?"
    rf"(?:{_TOOLS})|go\s(?:test|build|vet)|cargo\s(?:test|build|check|clippy|nextest\srun|fmt\s(?:--all\s)?--check)|"
    rf"(?:make|just)(?:\s-C\s[\w./-]{{1,60}})?\s{_SCRIPT}|(?:\./)?(?:gradlew|mvnw|gradle|mvn)\s(?:build|test|check|verify|compile)|"
    r"(?:dotnet|swift|bazel)\s(?:build|test)|mix\s(?:compile|test|credo|dialyzer|format\s--check-formatted)|"
    r"(?:flutter|dart)\s(?:test|analyze)|deno\s(?:test|lint|check)|composer\s(?:test|validate)|terraform\svalidate|helm\slint|"
    r"(?:(?:bash|sh)\s(?:\./)?|\./|[\w.-]{1,40}/)[\w./-]{0,80}(?:test|check|lint|verify|validate|build|smoke)[\w-]{0,40}\.sh"
    r")(?:\s[^\s;|&<>$(){}!]{1,100}){0,12}\Z"
)
# What changes files, waits for ever, or reaches further than a check does.
_DOES_MORE = lazy_regex(
    r"--?(?:fix|write|watch\w*|ui|update\w*|u|i)\b|\b(?:watch|dev|serve|start|deploy|publish|release|fix|migrate|push)\b",
    re.IGNORECASE,
)
_WHOLE = (
    r"(?:(?:the|all|full|whole|entire|existing|project'?s?|automated|unit|code(?:base)?|app(?:lication)?|production|"
    r"typescript)\s){0,4}"
)
_FORMS = tuple(
    (kind, lazy_regex(form + r"\.?\Z", re.IGNORECASE))
    for kind, form in (
        ("typecheck", rf"{_WHOLE}type[- ]?check(?:ing|s)?\s{_WELL}"),
        ("typecheck", r"(?:there\sare\s)?(?:no|zero|0)\s(?:type|typescript|ts)\serrors"),
        ("typecheck", r"typescript\scompiles(?:\s(?:cleanly|successfully|without(?:\sany)?\serrors))?"),
        (
            "compile",
            rf"{_WHOLE}(?:compilation\s{_WELL}|(?:code|project|app(?:lication)?)\scompiles(?:\s(?:cleanly|without\serrors))?)",
        ),
        ("lint", rf"{_WHOLE}lint(?:er|ing)?(?:\schecks?)?\s{_WELL}"),
        ("lint", r"(?:there\sare\s)?(?:no|zero|0)\slint(?:er|ing)?\serrors"),
        ("test", rf"{_WHOLE}(?:tests|test\ssuite)\s{_WELL}"),
        ("build", rf"{_WHOLE}build\s{_WELL}"),
        (
            "build",
            r"(?:the\s)?(?:project|app|application|code|codebase)\sbuilds(?:\s(?:cleanly|successfully|without(?:\sany)?\serrors))?",
        ),
    )
)
_TYPES = lazy_regex(
    r"\b(?:tsc|vue-tsc|svelte-check|mypy|pyright|pyre|flow|type-?check\w*|check-types|go|cargo|javac|gradlew?|mvnw?|dotnet|swift)\b"
)


# A tool by itself is often installed beside the project only; a package manager finds it there, a shell does not.
_BARE = lazy_regex(rf"((?:[A-Z_]{{1,30}}=[\w.-]{{1,30}}\s){{0,3}})(?:python3?\s-m\s)?({_TOOLS})(?=\s|\Z)")
_CALL = lazy_regex(
    rf"(?:[A-Z_]{{1,30}}=[\w.-]{{1,30}}\s){{0,3}}((?:[\w./-]{{1,60}}\s){{0,4}}?"
    rf"(?:[\w./-]{{1,100}}/)?({_TOOLS}))(?=\s|\Z)"
)


def sentence_command(sentence: str, commands: Commands) -> str:
    """The command a sentence asks to succeed, "" when it asks for none that we know to check just that."""
    text = " ".join(sentence.replace("**", "").split())
    if len(text) > _LONGEST:
        return ""
    if quoted := _QUOTED.match(text):
        return _callable(quoted[1].strip(), commands) if is_check(quoted[1].strip()) else ""
    kind = next((kind for kind, form in _FORMS if form.match(text)), "")
    if kind == "typecheck":
        # Some projects "compile" Python by looking at its syntax: that checks no type.
        return commands.compile if commands.compile and _TYPES.search(commands.compile) else ""
    return getattr(commands, kind, None) or "" if kind else ""


def _callable(quoted: str, commands: Commands) -> str:
    """With each tool called as a configured check calls it; "" where one stands by itself and no check calls it."""
    parts = quoted.split(" && ")
    bare = [_BARE.match(part) for part in parts]
    if not any(bare):
        return quoted
    calls = {} if parts[0].startswith("cd ") else _calls(commands)
    if any(found and found[2] not in calls for found in bare):
        return ""
    called = (
        f"{found[1]}{calls[found[2]]}{part[found.end() :]}" if found else part
        for found, part in zip(bare, parts, strict=True)
    )
    return " && ".join(called)


def _calls(commands: Commands) -> dict[str, str]:
    """How the configured checks call tools: ``eslint`` as ``node_modules/.bin/eslint``."""
    configured = (commands.test, commands.build, commands.lint, commands.compile)
    simple = (line for line in configured if line and len(line) <= _LONGEST and not line.startswith("cd "))
    found = (_CALL.match(part) for line in simple for part in line.split(" && "))
    return {call[2]: call[1] for call in found if call}


def is_check(command: str) -> bool:
    """Whether a line is a call of a tool or script that only checks; a file name or an identifier is none."""
    if len(command) > _LONGEST or _DOES_MORE.search(command):
        return False
    folder = re.match(r"cd\s[\w./-]{1,100}\s&&\s", command)
    return all(_CHECK.match(part) for part in command[folder.end() if folder else 0 :].split(" && "))
