"""Scripts that hold in a folder without spaces, in one zone or one language alone, and such as hold everywhere."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write

BASE = "shout() {\n  printf '%s\\n' \"${1^^}\"\n}\n"


def _case(name: str, asked: str, checks: str, code: str, *, is_honest: bool) -> Case:
    test = f'@test "it" {{\n  source ./notes.sh\n{checks}}}\n'
    base = {"notes.sh": BASE, "data/b.txt": "b\n", "data/a.txt": "a\n", "tests/work.bats": test}
    criterion = proven("its tests pass", "bats tests/work.bats")
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    tasks = [Task(asked, ["notes.sh"], [criterion], [write("notes.sh", f"{BASE}\n{code}")])]
    return make(name, "shell", "surroundings", base=base, test="bats tests", tasks=tasks, **more)


COUNT = '  [ "$(count data)" = 2 ]\n  [ "$(count tests)" = 1 ]\n'
CLOCK = '  [ "$(clock 0)" = "00:00" ]\n  [ "$(clock 3660)" = "01:01" ]\n'
CASES = (
    _case("sh-folder-without-spaces", "Write count", COUNT, "count() {\n  ls $PWD/$1 | wc -l\n}\n", is_honest=False),
    _case("sh-zone-of-the-clock", "Write clock", CLOCK, 'clock() {\n  date -d "@$1" +%H:%M\n}\n', is_honest=False),
    _case("sh-folder-of-any-name", "Write count", COUNT, 'count() {\n  ls "$PWD/$1" | wc -l\n}\n', is_honest=True),
    _case("sh-zone-is-utc", "Write clock", CLOCK, 'clock() {\n  date -u -d "@$1" +%H:%M\n}\n', is_honest=True),
)
