"""Go packages that only tests import, and what of a change in them takes nothing away. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.control import undeclared
from autopilot.inspection.control.changes import control_changes
from autopilot.inspection.control.judging_modules import helpers_of_tests
from autopilot.model.evidence.control import ControlChange, ControlKind, Meaning
from autopilot.model.git import Change

SAME = """package same

import "testing"

func Int(t testing.TB, got, want int) {
	if got != want {
		t.Errorf("got %d", got)
	}
}
"""
EQUAL = "package same\n\nfunc Equal(got, want []string) bool { return len(got) == len(want) }\n"
PRODUCT = {
    "go.mod": "module example.org/shop\n",
    "shop.go": "package shop\n\nfunc Total(a, b int) int { return a + b }\n",
}
INNER = "internal/same/same.go"
CMP, LOG = "vendor/example.org/cmp/cmp.go", "vendor/example.org/log/log.go"
PATHS = "package paths\n\nfunc Of(a string) string { return a }\n"
MORE = "\nfunc More(t testing.TB) {}\n"


def importing(*packages: str) -> str:
    return 'package shop\n\nimport (\n\t"testing"\n' + "".join(f'\n\t"{name}"' for name in packages) + "\n)\n"


TEST = importing("example.org/shop/internal/same")


@pytest.mark.parametrize(
    ("files", "changed"),
    [
        ({INNER: SAME, "shop_test.go": TEST}, INNER),
        ({INNER: EQUAL, "shop_test.go": TEST}, INNER),
        # Another file of such a package, which its functions may call.
        (
            {INNER: SAME, "internal/same/near.go": "package same\n\nfunc near() {}\n", "shop_test.go": TEST},
            "internal/same/near.go",
        ),
        # Through another one.
        (
            {
                INNER: EQUAL,
                "internal/check/check.go": 'package check\n\nimport "example.org/shop/internal/same"\n',
                "shop_test.go": importing("example.org/shop/internal/check"),
            },
            INNER,
        ),
        # A module of its own that go.mod leads to.
        (
            {
                "check/go.mod": "module example.org/check\n",
                "check/check.go": SAME,
                "shop_test.go": importing("example.org/check"),
            },
            "check/check.go",
        ),
        ({"testing.go": SAME.replace("package same", "package shop")}, "testing.go"),
        ({CMP: "package cmp\n", "shop_test.go": importing("example.org/cmp")}, CMP),
        (
            {
                CMP: 'package cmp\n\nimport "example.org/diff"\n',
                "vendor/example.org/diff/diff.go": "package diff\n",
                "shop_test.go": importing("example.org/cmp"),
            },
            "vendor/example.org/diff/diff.go",
        ),
    ],
)
def test_a_package_that_judges_is_found(files: dict[str, str], changed: str) -> None:
    files = {**PRODUCT, **files}
    assert helpers_of_tests([changed, "shop.go"], files, files.get) == (changed,)


@pytest.mark.parametrize(
    ("files", "changed"),
    [
        ({"shop_test.go": TEST}, "shop.go"),
        # The product compares as well.
        ({INNER: EQUAL, "shop_test.go": TEST, "shop.go": TEST}, INNER),
        # A library for comparing: nobody but its own tests uses it.
        ({"same/same.go": EQUAL, "same/same_test.go": importing("example.org/shop/same")}, "same/same.go"),
        # Only tests import it so far, and it judges nothing.
        ({"paths/paths.go": PATHS, "shop_test.go": importing("example.org/shop/paths")}, "paths/paths.go"),
        ({LOG: "package log\n", "shop.go": importing("example.org/log")}, LOG),
        # A server with a function for tests beside what it is.
        ({"server.go": SAME.replace("package same", "package shop") + "\nfunc Serve() {}\n"}, "server.go"),
        # No Go ends with this text, and no reading goes round in it for ever.
        (
            {
                INNER: EQUAL + 'import "example.org/shop/other"\n',
                "other/other.go": 'package other\n\nimport "example.org/shop/internal/same"\n',
            },
            INNER,
        ),
    ],
)
def test_the_product_is_none(files: dict[str, str], changed: str) -> None:
    files = {**PRODUCT, **files}
    assert helpers_of_tests([changed], files, files.get) == ()


def changes_to(path: str, old: str, new: str) -> tuple[ControlChange, ...]:
    change = Change(path, "M", "100644", "100644")
    return control_changes([change], {path: old}.get, {path: new}.get, (), [path])


def test_more_functions_of_a_helper_need_no_word_and_other_ones_do() -> None:
    (more,) = changes_to(INNER, SAME, SAME + MORE)
    (other,) = changes_to(INNER, SAME, SAME.replace("got != want", "false"))
    assert (more.kind, more.meaning) == (ControlKind.HELPER, Meaning.ADDS)
    assert undeclared([more, other], ["internal/"]) == (other,)
    assert undeclared([more, other], [INNER]) == ()


def test_what_was_vendored_follows_from_the_manifest() -> None:
    (change,) = changes_to(CMP, "package cmp\n", "package cmp\n\nvar same = true\n")
    assert undeclared([change], ["shop.go"]) == (change,)
    assert undeclared([change], ["go.mod"]) == undeclared([change], ["vendor/"]) == ()
