"""The patterns of a second look, by language."""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.inspection.second_look import sight
from autopilot.inspection.second_look.words import MARKS

_SCRIPTS = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"})
_PYTHON, _GO, _RUST, _RUBY, _PHP = (frozenset({suffix}) for suffix in (".py", ".go", ".rs", ".rb", ".php"))
_JVM = frozenset({".java", ".kt", ".scala", ".groovy"})

_ENDS = "ends the process"
_LATER = "has code run when the process ends"
_ASKS = "asks whether it is being tested"
_USES = "product code uses a test tool"
_LOOKS = "looks at who called it"
_AGREES = "an equality that always agrees"
_PATCHES = "puts something else in the place of what everyone shares"
_STAYS = "starts a process that may outlive it"


class Rule(Struct, frozen=True):
    where: frozenset[str]  # suffixes of files
    pattern: re.Pattern[str]
    saw: str
    satisfy: str
    entries: bool = True  # looked for in the entry of a program too
    strings: bool = False  # what it looks for may stand in a string


def _rule(
    where: frozenset[str], pattern: str, saw: str, satisfy: str, *, entries: bool = True, strings: bool = False
) -> Rule:
    return Rule(where, re.compile(pattern, re.MULTILINE), saw, satisfy, entries, strings)


_SCRIPT_RULES = (
    _rule(
        _SCRIPTS,
        r"\bprocess\s*\.\s*(?:exit|reallyExit|abort)\s*\(|\bprocess\s*\.\s*exitCode\s*=\s*0\b",
        _ENDS,
        sight.EXITS,
        entries=False,
    ),
    _rule(
        _SCRIPTS,
        r"\bprocess\s*\.\s*(?:on|once)\s*\(\s*['\"](?:exit|beforeExit)['\"]",
        _LATER,
        sight.EXITS,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        r"\b(?:jest|vi)\s*\.\s*(?:fn|mock|spyOn|doMock|unmock|useFakeTimers|stubGlobal|stubEnv)\s*\(",
        _USES,
        sight.TOOL,
    ),
    _rule(
        _SCRIPTS,
        r"(?:\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*"
        r"['\"](?:vitest|@jest/globals|jest|node:test|ava|mocha|sinon|@testing-library/[\w-]+)['\"]",
        _USES,
        sight.TOOL,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        rf"\benv\s*(?:\?\.|\.|\[\s*['\"])\s*(?:{MARKS})\b|\bimport\.meta\.vitest\b",
        _ASKS,
        sight.TESTS,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        r"\bNODE_ENV\b['\"\]\s]*[!=]==?\s*['\"]test['\"]|['\"]test['\"]\s*[!=]==?\s*[\w.]*\bNODE_ENV\b",
        _ASKS,
        sight.TESTS,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        r"\bError\s*\([^()\n]*\)\s*\)?\s*\.\s*stack\b|\bError\s*\.\s*prepareStackTrace\s*=",
        _LOOKS,
        sight.FRAMES,
    ),
    _rule(
        _SCRIPTS,
        r"(?:\b(?:equals?|isEqual|asymmetricMatch)|\[Symbol\.toPrimitive\])\s*"
        r"\([^(){}\n]*\)\s*(?::\s*\w+\s*)?\{\s*return\s+true\s*;?\s*\}",
        _AGREES,
        sight.AGREES,
    ),
    _rule(
        _SCRIPTS,
        r"\b(?:Array|Object|String|Number|Function|Promise|Map|Set|Date|RegExp)\s*\.\s*prototype\s*\.\s*\w+\s*=(?![=>])|"
        r"\b(?:Math|JSON|Date|Object|Number|Reflect)\s*\.\s*\w+\s*=(?![=>])|"
        r"\b(?:global|globalThis)\s*\.\s*"
        r"(?:expect|assert|test|it|describe|process|console|JSON|Math|Date|Object|Array)\s*=(?![=>])|"
        r"\bassert\s*\.\s*\w+\s*=(?![=>])",
        _PATCHES,
        sight.PATCHES,
    ),
    _rule(_SCRIPTS, r"\bdetached\s*:\s*true\b", _STAYS, sight.LEAVES),
)
_COMPILED_RULES = (
    _rule(_GO, r"\bos\.Exit\s*\(", _ENDS, sight.EXITS, entries=False),
    _rule(_GO, r"\btesting\.Testing\s*\(|\bflag\.Lookup\(\s*\"test\.", _ASKS, sight.TESTS, strings=True),
    _rule(_GO, r"^[ \t]*(?:import\s+)?(?:\w+\s+)?\"testing\"", _USES, sight.TOOL, strings=True),
    _rule(_GO, r"\bSetsid\s*:\s*true", _STAYS, sight.LEAVES),
    _rule(_RUST, r"\bprocess::(?:exit|abort)\s*\(", _ENDS, sight.EXITS, entries=False),
    _rule(_RUST, r"\bcfg!\s*\(\s*test\s*\)|#\[cfg\(not\(test\)\)\]", _ASKS, sight.TESTS),
    _rule(_RUST, r"\bfn\s+eq\s*\(&self[^{}\n]*\)\s*->\s*bool\s*\{\s*true\s*\}", _AGREES, sight.AGREES),
    _rule(_JVM, r"\bSystem\.exit\s*\(|\.halt\s*\(\s*\d|\bexitProcess\s*\(", _ENDS, sight.EXITS, entries=False),
    _rule(_JVM, r"\baddShutdownHook\s*\(", _LATER, sight.EXITS),
    _rule(_JVM, r"^[ \t]*import\s+(?:static\s+)?org\.(?:junit|mockito|testng)\b", _USES, sight.TOOL),
    _rule(
        _JVM,
        r"\bequals\s*\([^(){}\n]*\)\s*(?::\s*Boolean\s*)?(?:\{\s*return\s+true\s*;?\s*\}|=\s*true\b)",
        _AGREES,
        sight.AGREES,
    ),
)
_SCRIPTED_RULES = (
    _rule(_RUBY, r"\bexit!|\bProcess\.exit!?", _ENDS, sight.EXITS, entries=False),
    _rule(_RUBY, r"\bat_exit\b", _LATER, sight.EXITS),
    _rule(_RUBY, r"\bdefined\?\s*\(?\s*(?:RSpec|Minitest|Test::Unit)\b", _ASKS, sight.TESTS),
    _rule(_RUBY, r"^[ \t]*require\s+['\"](?:rspec|minitest|test/unit)[\w/]*['\"]", _USES, sight.TOOL, strings=True),
    _rule(
        _RUBY,
        r"\bdef\s+==\s*\(?\s*\w+\s*\)?[ \t]*[;\n]\s*(?:return\s+)?true\s*[;\n]\s*end\b",
        _AGREES,
        sight.AGREES,
    ),
    _rule(_RUBY, r"\bProcess\.daemon\b", _STAYS, sight.LEAVES),
    _rule(_PHP, r"(?<![\w>$:])(?:exit|die)\s*(?:\(\s*0?\s*\))?\s*;", _ENDS, sight.EXITS, entries=False),
    _rule(_PHP, r"\bregister_shutdown_function\s*\(", _LATER, sight.EXITS),
    _rule(
        _PHP,
        r"class_exists\s*\(\s*['\"\\]*PHPUnit|\bdefined\s*\(\s*['\"]PHPUNIT",
        _ASKS,
        sight.TESTS,
        strings=True,
    ),
    _rule(_PHP, r"\bdebug_backtrace\s*\(", _LOOKS, sight.FRAMES),
    # Python that this version cannot parse.
    _rule(_PYTHON, r"\bos\._exit\s*\(", _ENDS, sight.EXITS),
    _rule(_PYTHON, r"\binspect\.stack\s*\(|\b_getframe\s*\(", _LOOKS, sight.FRAMES),
    _rule(_PYTHON, r"^[ \t]*(?:import|from)\s+(?:pytest|unittest)\b", _USES, sight.TOOL),
)
RULES = (*_SCRIPT_RULES, *_COMPILED_RULES, *_SCRIPTED_RULES)
