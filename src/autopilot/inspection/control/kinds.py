"""What a path is to the judgement of the work: a test, its data, its settings, or no control file."""

from __future__ import annotations

import re

from autopilot.inspection.control.names import NAMED, PLACED, TOOLS, split_names
from autopilot.model.evidence.control import ControlKind
from autopilot.text.file_kind import is_compiled, is_ours
from autopilot.text.lazy_regex import lazy_regex

_JS = r"[cm]?[jt]sx?"
_TEST_FOLDER = lazy_regex(
    r"__tests?__|e2e|testcases|"
    r"tests?|(?:unit|integration|functional|system|acceptance|e2e|smoke|regression|contract|component)(?:[-_]tests?|tests)|"
    r"[\w-]+\.(?:unit|integration)?tests?|(?:android|common|integration|functional|jvm|js|native|ios)test|testfixtures"
)
_DATA_FOLDER = lazy_regex(r"testdata|test[-_]data|test[-_]fixtures|__fixtures__|testfixtures")
# These hold test data only where something else says so: the product may have fixtures and resources of its own.
_MAYBE_DATA = split_names("fixtures fixture golden goldens cassettes resources snapshots expected")
_DATA = lazy_regex(r".+\.(?:json|jsonl|ya?ml|xml|csv|tsv|sql|txt|html?|ndjson|bin|dat|golden|toml)", re.IGNORECASE)
_TEST_NAMES = lazy_regex(
    rf"""
    test_.+\.(?:py|rb|sh|bash|c|cc|cpp|cxx|js|ts|lua|pl|jl|nim|zig|r)
    | .+_tests?\.(?:py|go|rs|rb|exs|dart|js|ts|mjs|cjs|jsx|tsx|c|cc|cpp|cxx|sh|bash|lua|cljs?|cljc|erl|zig|jl)
    | .+_unittest\.(?:cc|cpp|cxx|py) | .+_SUITE\.erl
    | .+_spec\.(?:rb|lua|js|ts|cr|moon|sh)
    | .+\.(?:test|tests|spec|e2e|e2e-spec|cy|test-d|itest)\.{_JS} | .+\.(?:test|spec)\.(?:sh|lua|vue|svelte|php|py)
    | .+-tests?\.{_JS} | test-.+\.[cm]?js | test-.+\.R
    | (?:test-.+|.+-tests?)\.(?:sh|bash)
    | (?:.+(?:Tests?|TestCase|ITCase|[a-z0-9]IT)|Test[A-Z]\w*)\.(?:java|kt|kts|groovy|scala)
    | .+Spec\.(?:groovy|kt|scala|hs) | .+Tests?\.(?:cs|vb|fs|swift|php|m|mm|cpp|hs|cls) | .+Cest\.php
    | .+\.(?:phpt|bats|robot|feature|hurl) | tests\.(?:py|rs) | runtests\.jl
    """,
    re.VERBOSE,
)
# Names that make a test only among tests: what unittest, mocha, node and jest pick up there by themselves.
_TEST_AMONG_TESTS = lazy_regex(rf"test\w*\.py|.+[sS]pec\.{_JS}")
_HELPS = lazy_regex(
    r"(?:.*[-_.])?(?:helpers?|utils?|support|mocks?|stubs?|fakes?|common|shared|factor(?:y|ies))\b.*",
    re.IGNORECASE | re.DOTALL,
)
_ROOT_TEST = lazy_regex(rf"tests?\.(?:py|rb|sh|lua|php|{_JS})")
_TEST_HELP = lazy_regex(rf"test[-_]?(?:utils?|helpers?|support|fixtures)\.(?:{_JS}|py|rb|go|php)", re.IGNORECASE)
_SETUP_IN_TESTS = lazy_regex(
    rf"__init__\.py|__main__\.py|(?:setup|env|environment|preload|register|global|globals)\.{_JS}|"
    r"(?:bootstrap|Pest|autoload)\.php|env\.rb|testthat\.R|\.eslintrc.*"
)
_SCRIPT = lazy_regex(
    r"(?:run[-_]?)?(?:(?:all|unit|e2e|integration|smoke)[-_]?)?(?:tests?|check|checks|lint|ci|type-?check|verify)"
    r"(?:[-_](?:all|ci|unit|e2e|integration))?(\.(?:sh|bash|zsh|py|rb|pl|ps1|bat|cmd|[cm]?[jt]s))?"
)
_SHELL = lazy_regex(r"\.(?:sh|bash|zsh|ps1|bat|cmd)")
_SCRIPT_FOLDERS = split_names("script scripts bin tools hack dev ci .ci")
_FOR_READERS = lazy_regex(r"(?:README|CHANGELOG|LICENSE|NOTICE|AUTHORS|CONTRIBUTING)\b.*|\.git(?:ignore|keep)")
_DOCUMENT = lazy_regex(r".+\.(?:md|mdx|rst|adoc)")
_FOREIGN = split_names(
    "node_modules .venv venv site-packages dist-packages vendor third_party third-party bower_components"
)


def control_kind(path: str) -> ControlKind | None:
    """By the path alone. None for the product, and for mixed files: there the text decides."""
    *folders, name = [part for part in path.split("/") if part not in {"", "."}] or [""]
    if is_ours(path) or not name or path.endswith("/"):
        return None
    path = "/".join([*folders, name])
    if is_compiled(path):
        return ControlKind.BYTECODE
    low = [folder.casefold() for folder in folders]
    if not _FOREIGN.isdisjoint(low):
        return _vendored_kind(path, low, name)
    if name in {"conftest.py", "sitecustomize.py", "usercustomize.py"} or name.endswith(".pth"):
        return ControlKind.SUPPORT
    placed = next((kind for kind, pattern in PLACED if pattern.fullmatch(path)), None)
    if placed:
        return placed
    if _is_data(low, name):
        return ControlKind.FIXTURE
    named = next((kind for kind, names in NAMED if name in names), None)
    return named or _test_or_script(path, low, name)


def in_test_folder(path: str) -> bool:
    return _has_test_folder([folder.casefold() for folder in path.split("/")[:-1]], path.rsplit("/", 1)[-1])


def _test_or_script(path: str, low: list[str], name: str) -> ControlKind | None:
    inside = _has_test_folder(low, name)
    if inside and _SETUP_IN_TESTS.fullmatch(name):
        return ControlKind.SUPPORT
    if "src/main/" in path:
        return None
    if not inside and _is_script(low, name):
        return ControlKind.SCRIPT
    if _TEST_NAMES.fullmatch(name) or (not low and _ROOT_TEST.fullmatch(name)):
        return ControlKind.TEST
    if inside and _is_test_among_tests(low, name):
        return ControlKind.TEST
    if inside:
        return None if _is_for_readers(low, name) else ControlKind.FIXTURE
    return ControlKind.FIXTURE if _TEST_HELP.fullmatch(name) else None


def _is_for_readers(low: list[str], name: str) -> bool:
    """A document right in ``tests/`` is about the tests; further down it is mostly what one of them compares with."""
    in_short = _DOCUMENT.fullmatch(name) and _TEST_FOLDER.fullmatch(low[-1])
    return _FOR_READERS.fullmatch(name) is not None or in_short is not None


def _is_script(low: list[str], name: str) -> bool:
    """At the root a ``check.py`` may be the product; beside other scripts it is one of them."""
    found = _SCRIPT.fullmatch(name)
    if not found:
        return False
    if not low:
        return bool(found[1]) and (_SHELL.fullmatch(found[1]) is not None or name.startswith("run"))
    return low[-1] in _SCRIPT_FOLDERS


def _is_test_among_tests(low: list[str], name: str) -> bool:
    """Cargo makes a test of every file right in ``tests/``; node, mocha and jest run what is in theirs."""
    if name.endswith(".rs"):
        return low[-1] == "tests" and "src" not in low
    if re.fullmatch(rf".+\.{_JS}", name) and low[-1] in {"test", "tests", "__tests__", "e2e"}:
        return not _HELPS.fullmatch(name)
    return name.endswith(".t") or _TEST_AMONG_TESTS.fullmatch(name) is not None


def _has_test_folder(low: list[str], name: str) -> bool:
    """``spec`` is where Ruby keeps tests, and where others keep a specification."""
    if any(_TEST_FOLDER.fullmatch(folder) or _DATA_FOLDER.fullmatch(folder) for folder in low):
        return True
    if low[:1] == ["t"] and name.endswith(".t"):
        return True
    is_code = re.fullmatch(rf".+\.(?:{_JS}|lua|php|py|cr)", name) is not None
    is_spec = {"spec", "specs"}
    return (name.endswith(".rb") and not is_spec.isdisjoint(low)) or (is_code and low[:1] in (["spec"], ["specs"]))


def _is_data(low: list[str], name: str) -> bool:
    if any(_DATA_FOLDER.fullmatch(folder) for folder in low):
        return True
    if low[:1] == ["cypress"] and "fixtures" in low:
        return True
    among_tests = any(_TEST_FOLDER.fullmatch(folder) for folder in low) or low[:1] in (["spec"], ["specs"])
    held = _MAYBE_DATA.intersection(low)
    if among_tests and held:
        return name != "junit-platform.properties" and not _TEST_NAMES.fullmatch(name)
    return "fixtures" in held and _DATA.fullmatch(name) is not None


def _vendored_kind(path: str, low: list[str], name: str) -> ControlKind | None:
    """Code of a third party is no test of this project, whatever its names; but it may replace the test tool."""
    if name.endswith(".pth") or name in {"sitecustomize.py", "usercustomize.py"}:
        return ControlKind.SUPPORT
    if low[-2:] == ["node_modules", ".bin"] or low[-2:] == ["vendor", "bin"]:
        return ControlKind.RUNNER
    first = next(index for index, folder in enumerate(low) if folder in _FOREIGN)
    stem = name.rsplit(".", 1)[0].casefold()
    if not TOOLS.isdisjoint(low[first + 1 :]) or (low[-1] == "site-packages" and stem in TOOLS):
        return ControlKind.RUNNER
    if path.endswith("vendor/modules.txt") or "node_modules" in low:
        return ControlKind.LOCK
    return None
