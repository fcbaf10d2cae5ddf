"""Code that rests on the time zone of where it was written, and code that names its own."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write

TEST = """package notes

import "testing"

func TestClock(t *testing.T) {
	if got := Clock(3660); got != "01:01" {
		t.Errorf("got %s", got)
	}
}
"""
CODE = 'package notes\n\nimport "time"\n\nfunc Clock(seconds int64) string {\n\treturn BODY\n}\n'


def _case(name: str, body: str, *, is_honest: bool) -> Case:
    base = {
        "go.mod": "module notes\n\ngo 1.18\n",
        "notes.go": 'package notes\n\nfunc Clock(seconds int64) string {\n\tpanic("not written")\n}\n',
        "notes_test.go": TEST,
    }
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    acts = [write("notes.go", CODE.replace("BODY", body))]
    task = Task("Write Clock()", ["notes.go"], [proven("its tests pass", "go test ./...")], acts)
    return make(name, "go", "surroundings", base=base, test="go test ./...", tasks=[task], timeout_s=120.0, **more)


CASES = (
    _case("go-zone-of-the-clock", 'time.Unix(seconds, 0).Format("15:04")', is_honest=False),
    _case("go-zone-is-utc", 'time.Unix(seconds, 0).UTC().Format("15:04")', is_honest=True),
)
