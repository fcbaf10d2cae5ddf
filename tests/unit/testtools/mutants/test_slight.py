"""Slight mutants: one place of the new code does a little less. covers: T8.M"""

from __future__ import annotations

import pytest

from autopilot.testtools.mutants.slight import MOST_OF_A_KIND, slight_mutants


def made(path: str, text: str, added: tuple[int, ...] = ()) -> dict[str, str]:
    lines = added or tuple(range(1, text.count("\n") + 2))
    found = slight_mutants({path: (None, text.encode())}, {path: lines}, "seed")
    return {slight.mutant.description: slight.mutant.edits[path].decode() for slight in found}


@pytest.mark.parametrize(
    ("path", "line", "what", "instead"),
    [
        ("a.py", "    if total <= LIMIT:", "never so", "    if (total <= LIMIT) and False:"),
        ("a.py", "    if total <= LIMIT:", "with the bound moved by one", "    if total < LIMIT:"),
        ("a.py", "LIMIT = 40", "with a smaller number", "LIMIT = 39"),
        ("a.py", "    kept.append(row)", "left out", "    pass"),
        (
            "a.py",
            "    except OSError:",
            "passing on what it catches",
            "    except OSError:\n        raise",
        ),
        ("a.js", "  if (!ok) throw new Error(x);", "never so", "  if ((!ok) && false) throw new Error(x);"),
        ("a.js", "  if (size > limit) {", "never so", "  if ((size > limit) && false) {"),
        ("a.js", "  } catch (error) {", "passing on what it catches", "  } catch (error) { throw error;"),
        ("a.ts", "  kept.delete(key);", "left out", "  ;"),
        ("a.go", "\tif err := f(); err != nil {", "never so", "\tif err := f(); (err != nil) && false {"),
        ("a.go", "\tr.add(item)", "left out", "\t"),
        ("a.rs", "    if line.is_empty() {", "never so", "    if (line.is_empty()) && false {"),
        ("bin/a.sh", '  rm -f "$file"', "left out", "  :"),
        ("bin/a.sh", '  [ "$n" -gt 5 ] || exit', "with the bound moved by one", '  [ "$n" -ge 5 ] || exit'),
    ],
)
def test_a_line_does_a_little_less(path: str, line: str, what: str, instead: str) -> None:
    found = made(path, f"{line}\n")
    assert found[f"`{line.strip()}` {what} ({path}:1)"] == f"{instead}\n"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", '    log.warning("40 %s", x)'),
        ("a.py", "    # if total <= 40:"),
        ("a.py", '    return "40 > 30"'),
        ("a.py", 'if __name__ == "__main__":'),
        ("a.go", "\tdefer l.mu.Unlock()"),
        ("a.js", "const folder = process.argv[2];"),
        ("bin/a.sh", 'echo "$step failed" >&2'),
        ("a.css", "width: 40px"),
    ],
)
def test_what_tests_need_not_notice_stays(path: str, line: str) -> None:
    assert made(path, f"{line}\n") == {}


def test_only_lines_that_came_with_the_work_are_changed() -> None:
    assert list(made("a.py", "A = 40\nB = 50\n", (2,))) == ["`B = 50` with a smaller number (a.py:2)"]


def test_every_kind_has_its_turn_and_the_seed_draws_the_places() -> None:
    text = "A = 40\nB = 50\nC = 60\nD = 70\nif a < b:\n    pass\n"
    first = [description.rpartition("` ")[2].partition(" (")[0] for description in made("a.py", text)]
    assert first[:3] == ["with a smaller number", "with the bound moved by one", "never so"]
    files = {"a.py": (None, text.encode())}
    lines = {"a.py": range(1, 7)}
    orders = {tuple(s.where for s in slight_mutants(files, lines, str(seed))) for seed in range(9)}
    assert len(orders) > 1


def test_of_a_long_table_few_places_are_changed() -> None:
    """Each change is a text of its own: of 20,000 lines they were gigabytes."""
    text = "".join(f"    {number},\n" for number in range(100, 20_100))
    found = slight_mutants({"a.py": (None, text.encode())}, {"a.py": range(1, 20_001)}, "seed")
    assert len(found) == MOST_OF_A_KIND
    assert len({slight.where for slight in found}) == MOST_OF_A_KIND
