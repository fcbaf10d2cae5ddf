"""The patterns of a second look, by language."""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.inspection.second_look import finding
from autopilot.inspection.second_look.strings import MARKS
from autopilot.text.lazy_regex import lazy_regex

_SCRIPTS = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"})
_PYTHON, _GO, _RUST, _RUBY, _PHP = (frozenset({suffix}) for suffix in (".py", ".go", ".rs", ".rb", ".php"))
_JVM = frozenset({".java", ".kt", ".scala", ".groovy"})

_ENDS = "ends the process"
_LATER = "registers code that runs when the process ends"
_ASKS = "checks whether it is being tested"
_USES = "product code uses a test tool"
_LOOKS = "inspects its caller"
_AGREES = "an equality check that always returns true"
_PATCHES = "replaces an object that other code shares"
_STAYS = "starts a process that may outlive it"


class Rule(Struct, frozen=True):
    where: frozenset[str]  # suffixes of files
    pattern: re.Pattern[str]
    description: str
    satisfy: str
    entries: bool = True  # looked for in the entry of a program too
    strings: bool = False  # what it looks for may stand in a string


def _rule(
    where: frozenset[str], pattern: str, description: str, satisfy: str, *, entries: bool = True, strings: bool = False
) -> Rule:
    return Rule(where, lazy_regex(pattern, re.MULTILINE), description, satisfy, entries, strings)


_SCRIPT_RULES = (
    _rule(
        _SCRIPTS,
        r"\bprocess\s*\.\s*(?:exit|reallyExit|abort)\s*\(|\bprocess\s*\.\s*exitCode\s*=\s*0\b",
        _ENDS,
        finding.EXITS,
        entries=False,
    ),
    _rule(
        _SCRIPTS,
        r"\bprocess\s*\.\s*(?:on|once)\s*\(\s*['\"](?:exit|beforeExit|uncaughtException|unhandledRejection)['\"]",
        _LATER,
        finding.EXITS,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        r"\b(?:jest|vi)\s*\.\s*(?:fn|mock|spyOn|doMock|unmock|useFakeTimers|stubGlobal|stubEnv)\s*\(",
        _USES,
        finding.TOOL,
    ),
    _rule(
        _SCRIPTS,
        r"(?:\bfrom|\brequire\s*\(|\bimport\s*+\(?)\s*"
        r"['\"](?:vitest|@jest/globals|jest|node:test|ava|mocha|sinon|@testing-library/[\w-]+)['\"]",
        _USES,
        finding.TOOL,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        rf"\benv\s*(?:\?\.|\.|\[\s*['\"])\s*(?:{MARKS})\b|\bimport\.meta\.vitest\b",
        _ASKS,
        finding.TESTS,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        r"\bNODE_ENV\b['\"\]\s]*[!=]==?\s*['\"]test['\"]|['\"]test['\"]\s*[!=]==?\s*[\w.]*\bNODE_ENV\b",
        _ASKS,
        finding.TESTS,
        strings=True,
    ),
    _rule(
        _SCRIPTS,
        r"\bError\s*\([^()\n]*\)\s*+\)?\s*\.\s*stack\b|\bError\s*\.\s*prepareStackTrace\s*=",
        _LOOKS,
        finding.FRAMES,
    ),
    _rule(
        _SCRIPTS,
        r"(?:\b(?:equals?|isEqual|asymmetricMatch)|\[Symbol\.toPrimitive\])\s*"
        r"\([^(){}\n]*\)\s*(?::\s*\w+\s*)?\{\s*return\s+true\s*+;?\s*\}",
        _AGREES,
        finding.AGREES,
    ),
    _rule(
        _SCRIPTS,
        r"\b(?:Array|Object|String|Number|Function|Promise|Map|Set|Date|RegExp)\s*\.\s*prototype\s*\.\s*\w+\s*=(?![=>])|"
        r"\b(?:Math|JSON|Date|Object|Number|Reflect)\s*\.\s*\w+\s*=(?![=>])|"
        r"\b(?:global|globalThis)\s*\.\s*"
        r"(?:expect|assert|test|it|describe|process|console|JSON|Math|Date|Object|Array)\s*=(?![=>])|"
        r"\bassert\s*\.\s*\w+\s*=(?![=>])",
        _PATCHES,
        finding.PATCHES,
    ),
    _rule(_SCRIPTS, r"\bdetached\s*:\s*true\b", _STAYS, finding.LEAVES),
)
_COMPILED_RULES = (
    _rule(_GO, r"\bos\.Exit\s*\(", _ENDS, finding.EXITS, entries=False),
    _rule(_GO, r"\btesting\.Testing\s*\(|\bflag\.Lookup\(\s*\"test\.", _ASKS, finding.TESTS, strings=True),
    _rule(_GO, r"^[ \t]*(?:import\s+)?(?:\w+\s+)?\"testing\"", _USES, finding.TOOL, strings=True),
    _rule(_GO, r"\bSetsid\s*:\s*true", _STAYS, finding.LEAVES),
    _rule(_RUST, r"\bprocess::(?:exit|abort)\s*\(", _ENDS, finding.EXITS, entries=False),
    _rule(_RUST, r"\bcfg!\s*\(\s*test\s*\)|#\[cfg\(not\(test\)\)\]", _ASKS, finding.TESTS),
    _rule(_RUST, r"\bfn\s+eq\s*\(&self[^{}()\n]{0,200}+\)\s*->\s*bool\s*\{\s*true\s*\}", _AGREES, finding.AGREES),
    _rule(_JVM, r"\bSystem\.exit\s*\(|\.halt\s*\(\s*\d|\bexitProcess\s*\(", _ENDS, finding.EXITS, entries=False),
    _rule(_JVM, r"\baddShutdownHook\s*\(", _LATER, finding.EXITS),
    _rule(_JVM, r"^[ \t]*import\s+(?:static\s+)?org\.(?:junit|mockito|testng)\b", _USES, finding.TOOL),
    _rule(
        _JVM,
        r"\bequals\s*\([^(){}\n]*\)\s*(?::\s*Boolean\s*)?(?:\{\s*return\s+true\s*+;?\s*\}|=\s*true\b)",
        _AGREES,
        finding.AGREES,
    ),
)
_SCRIPTED_RULES = (
    _rule(_RUBY, r"\bexit!|\bProcess\.exit!?", _ENDS, finding.EXITS, entries=False),
    _rule(_RUBY, r"\bat_exit\b", _LATER, finding.EXITS),
    _rule(_RUBY, r"\bdefined\?\s*+\(?\s*(?:RSpec|Minitest|Test::Unit)\b", _ASKS, finding.TESTS),
    _rule(_RUBY, r"^[ \t]*require\s+['\"](?:rspec|minitest|test/unit)[\w/]*['\"]", _USES, finding.TOOL, strings=True),
    _rule(
        _RUBY,
        r"\bdef\s++==\s*+\(?\s*+\w++[ \t]*+\)?[ \t]*+[;\n]\s*+(?:return\s++)?true[ \t]*+[;\n]\s*+end\b",
        _AGREES,
        finding.AGREES,
    ),
    _rule(_RUBY, r"\bProcess\.daemon\b", _STAYS, finding.LEAVES),
    _rule(_PHP, r"(?<![\w>$:])(?:exit|die)\s*+(?:\(\s*+0?\s*\))?\s*;", _ENDS, finding.EXITS, entries=False),
    _rule(_PHP, r"\bregister_shutdown_function\s*\(", _LATER, finding.EXITS),
    _rule(
        _PHP,
        r"class_exists\s*\(\s*['\"\\]*PHPUnit|\bdefined\s*\(\s*['\"]PHPUNIT",
        _ASKS,
        finding.TESTS,
        strings=True,
    ),
    _rule(_PHP, r"\bdebug_backtrace\s*\(", _LOOKS, finding.FRAMES),
    # Python that this version cannot parse.
    _rule(_PYTHON, r"\bos\._exit\s*\(", _ENDS, finding.EXITS),
    _rule(_PYTHON, r"\binspect\.stack\s*\(|\b_getframe\s*\(", _LOOKS, finding.FRAMES),
    _rule(_PYTHON, r"^[ \t]*(?:import|from)\s+(?:pytest|unittest)\b", _USES, finding.TOOL),
)
RULES = (*_SCRIPT_RULES, *_COMPILED_RULES, *_SCRIPTED_RULES)
