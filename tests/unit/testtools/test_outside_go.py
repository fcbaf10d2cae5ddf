"""Go tests as files of an ordinary program: what is written, under which names, and what is left out. covers: T8"""

from __future__ import annotations

import base64
import re

import pytest

from autopilot.testtools.outside.go_outside import Prepared, prepare_go

TEST = """package words

import "testing"

func TestSlug(t *testing.T) { if Slug("A") != "a" { t.Fatal("TestSlug failed") } }
"""
FILES = {
    "go.mod": "module example.org/words\n",
    "words.go": "package words\n\nfunc Slug(text string) string { return text }\n",
    "words_test.go": TEST,
}


def prepare(files: dict[str, str], *, signs: bool = False) -> Prepared | None:
    tests = [path for path in files if path.endswith("_test.go")]
    return prepare_go(tests, files, lambda path: files[path].encode() if path in files else None, "seed", signs=signs)


def texts(files: dict[str, str], *, signs: bool = False) -> dict[str, str]:
    prepared = prepare(files, signs=signs)
    assert prepared is not None
    return {path: text.decode() for path, text in prepared.edits.items() if text is not None}


def script(prepared: Prepared | None) -> str:
    assert prepared is not None
    return base64.b64decode(prepared.command.split()[3]).decode()


def called(files: dict[str, str]) -> set[str]:
    (runner,) = (text for text in texts(files).values() if ".All(" in text)
    return set(re.findall(r"_test\.go::(\w+)", runner))


def test_the_plain_program_has_no_file_function_or_package_with_the_name_of_a_test() -> None:
    external = TEST.replace("package words", "package words_test").replace("TestSlug(", "TestMore(")
    prepared = prepare({**FILES, "more_test.go": external})
    assert prepared is not None
    assert {path for path, text in prepared.edits.items() if text is None} == {"words_test.go", "more_test.go"}
    for path, text in prepared.edits.items():
        assert "test" not in path or text is None
        assert not re.search(rb"^(?:package \w+_test|func Test\w*\(t)", text or b"", re.MULTILINE)
    assert "locate zzwords.go words_more.go\n" in script(prepared)
    assert "go test" not in script(prepared)
    assert "_test" not in prepared.command


def test_the_test_with_signs_has_the_names_of_the_tool() -> None:
    written = texts(FILES, signs=True)
    assert "locate zzwords.go words_test.go\n" in script(prepare(FILES, signs=True))
    assert "func TestSlug(" in written["zzwords.go"]
    assert written["words_test.go"].startswith("//go:build ")
    assert "go test" in script(prepare(FILES, signs=True))


def test_names_of_ours_differ_from_commit_to_commit() -> None:
    read = {path: text.encode() for path, text in FILES.items()}.get
    first, second = (prepare_go(["words_test.go"], FILES, read, seed, signs=False) for seed in ("a", "b"))
    assert first is not None
    assert second is not None
    assert first.edits.keys() & second.edits.keys() == {"words_test.go", "zzwords.go"}


@pytest.mark.parametrize(
    "body",
    [
        "exec.Command(os.Args[0])",
        'os.ReadFile("words_test.go")',
        'want := "example.org/words.TestSlug"',
        "regexp.MustCompile(`words_test\\.go`)",
        'mocked.On("TestOther")',
        "helper(t)",
        "runtime.NumGoroutine()",
        "defer goleak.VerifyNone(t)",
    ],
)
def test_a_test_that_looks_at_its_own_program_is_left_out(body: str) -> None:
    helper = "\nfunc helper(t *testing.T) { other() }\n\nfunc other() { os.Executable() }\n"
    test = f"{TEST}\nfunc TestOther(t *testing.T) {{\n\t{body}\n}}\n{helper}"
    assert called({**FILES, "words_test.go": test}) == {"TestSlug"}


def test_helpers_that_are_given_a_test_get_the_same_package() -> None:
    helper = 'package same\n\nimport "testing"\n\nfunc Int(t testing.TB) {}\n'
    unused = {"unused/unused.go": helper, "vendor/example.org/words/inner/inner.go": helper}
    test = TEST.replace('"testing"', '(\n\t"testing"\n\n\t"example.org/words/outer"\n)')
    outer = 'package outer\n\nimport "example.org/words/inner"\n'
    written = texts({**FILES, **unused, "words_test.go": test, "outer/outer.go": outer, "inner/inner.go": helper})
    assert re.search(r'import testing "example.org/words/\w+"', written["inner/inner.go"])
    assert not {"outer/outer.go", *unused} & written.keys()


@pytest.mark.parametrize(
    "files",
    [
        {path: text for path, text in FILES.items() if path != "go.mod"},
        {**FILES, "main_test.go": TEST.replace("TestSlug(t *testing.T)", "TestMain(m *testing.M)")},
        {**FILES, "words_test.go": "package words\n\nfunc TestSlug(t *testing.T) {"},
        {**FILES, "words_test.go": TEST + "\nfunc init() { program = os.Args[0] }\n"},
        {**FILES, "words_test.go": TEST.replace("package words", "package main_test")},
        {"go.mod": FILES["go.mod"], "vendor/a/words_test.go": TEST},
    ],
)
def test_what_cannot_be_an_ordinary_program_is_left_out(files: dict[str, str]) -> None:
    assert prepare(files) is None


def test_a_name_that_is_taken_is_not_used() -> None:
    words = FILES["words.go"] + "\nfunc UseSlug() {}\n"
    assert "func UseSlugX(" in texts({**FILES, "words.go": words})["zzwords.go"]
