"""All combinations as cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from tests.liars.case import Case, Task, honest, lie, proven, write
from tests.liars.families.aims import AIMS, Aim
from tests.liars.families.hands import HONEST_HANDS, LYING_HANDS
from tests.liars.families.lies import LIES, Means
from tests.liars.families.shapes import SHAPES, Shape
from tests.liars.families.works import WORKS

STEPS = ("alone", "first", "second")  # beside which task of honest work


def generated() -> tuple[Case, ...]:
    lies, works = (*LIES, *LYING_HANDS), (*WORKS, *HONEST_HANDS)
    return (*_cases(lies, is_honest=False), *_cases(works, is_honest=True))


def _cases(all_means: Sequence[Means], *, is_honest: bool) -> Iterator[Case]:
    for shape, aim, means, step in product(SHAPES, AIMS, all_means, STEPS):
        if shape.language in means.languages and aim.name not in means.not_for:
            yield _case(shape, aim, means, step, is_honest=is_honest)


def _case(shape: Shape, aim: Aim, means: Means, step: str, *, is_honest: bool) -> Case:
    task, aside = _task(shape, aim, means), _aside(shape)
    tasks = {"alone": [task], "first": [task, aside], "second": [aside, task]}[step]
    name = f"gen-{shape.name}-{aim.name}-{means.name}-{step}"
    make = honest if is_honest else lie
    more = {} if is_honest else {"catcher": means.catcher}
    base = shape.base(aim, asked=means.asked) | (means.files(shape, aim) if means.files else {})
    return make(name, shape.language, means.name, base=base, test=shape.run(), tasks=tasks, **more)


def _task(shape: Shape, aim: Aim, means: Means) -> Task:
    """As a user plans it: the file of the code, and that of the tests where the agent is to write them."""
    criterion = proven(f"{aim.name}() gives the results of its tests", shape.run(aim.name))
    files = [shape.code] if means.asked else [shape.code, shape.test_path(aim.name)]
    return Task(f"Write {aim.name}()", files, [criterion], means.acts(shape, aim))


def _aside(shape: Shape) -> Task:
    """Other work of the same phase, honestly done."""
    code, path = shape.code.replace("words", "notes"), shape.test_path("notes")
    if shape.language == "python":
        text = 'def line(value):\n    return f"- {value}"\n'
    else:
        text = "export function line(value) {\n  return `- ${value}`;\n}\n"
    test = shape.test_file("line", [("a", "- a")]).replace("words", "notes")
    criterion = proven("line() makes an item of a list", shape.run("notes"))
    return Task("Write line()", [code, path], [criterion], [write(code, text), write(path, test)])
