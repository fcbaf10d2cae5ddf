"""Constant mutants of JavaScript and TypeScript. covers: T8.M"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.testtools.mutants.mutant import mutants
from autopilot.text.script_tree import script_tree


def mutate(new: str, old: str | None = None, path: str = "a.jsx") -> list[str]:
    made = mutants({path: (None if old is None else old.encode(), new.encode())})
    return [mutant.edits[path].decode() for mutant in made]


BODIES: Sequence[tuple[str, str, str]] = (
    ("function f(a) { return a; }", "function f(a) { return undefined; }", "function f(a) { return true; }"),
    ("export default function () { g(); }", "export default function () { return undefined; }", ""),
    ("export const f = (a) => a + 1;", "export const f = (a) => undefined;", "export const f = (a) => true;"),
    ("export const f = async a => ({ a });", "export const f = async a => undefined;", ""),
    ("function* f() { yield 1; }", "function* f() { return undefined; }", "function* f() { yield true; }"),
    ("class A { async *f() { yield 1; } }", "class A { async *f() { return undefined; } }", ""),
    ("class A { get f() { return 1; } }", "class A { get f() { return undefined; } }", ""),
    ("class A { static f = () => { return 1; }; }", "class A { static f = () => { return undefined; }; }", ""),
    (
        "module.exports = { f(x) { return x }, g: x => x };",
        "module.exports = { f(x) { return undefined; }, g: x => undefined };",
        "",
    ),
    ("app.get('/', (q, r) => { r.send(1); });", "app.get('/', (q, r) => { return undefined; });", ""),
    (
        "(function () { function f() { return 1 } exports.f = f })();",
        "(function () { function f() { return undefined; } exports.f = f })();",
        "",
    ),
    ("const A = () => <p>it's {1}</p>;", "const A = () => undefined;", "const A = () => true;"),
    ("function f() {\r\n  return 1;\r\n}\r\n", "function f() { return undefined; }\r\n", ""),
    (
        "const s = '日本'; s.trim(); function f() { return `${s}` }",
        "const s = '日本'; s.trim(); function f() { return undefined; }",
        "",
    ),
)


@pytest.mark.parametrize(("new", "nothing", "true"), BODIES)
def test_a_body_gives_way_to_a_constant(new: str, nothing: str, true: str) -> None:
    first, second = mutate(new)
    assert first == nothing
    assert second == (true or second)
    assert second not in {first, new}


def test_setters_and_constructors_do_nothing() -> None:
    new = "class A extends B { constructor(a) { super(a); this.a = a; } set b(x) { this.x = x; } }"
    assert mutate(new) == ["class A extends B { constructor(a) { super(a); } set b(x) { } }"]
    assert mutate("class A { constructor(a) { this.a = a; } }") == ["class A { constructor(a) { } }"]
    assert mutate("class A extends B { constructor(a) { const b = a; super(b); } }") == []


def test_typescript_mutants_are_not_held_up_by_types() -> None:
    new = "#!/usr/bin/env node\nexport function f(x: number): number;\n"
    new += "export function f(x: any): number { return <number>x; }\n"
    nothing = new.replace("return <number>x", "return undefined as any").replace("node\n", "node\n// @ts-nocheck\n")
    assert mutate(new, path="a.ts")[0] == nothing
    assert mutate("const f = <T,>(x: T): T => x;", path="a.tsx")[0].endswith(
        "const f = <T,>(x: T): T => (undefined as any);"
    )


@pytest.mark.parametrize(
    "new",
    [
        "",
        "export * from './b';",
        "function f() {}",
        "class A { constructor() { /* nothing */ } }",
        "const f = () => undefined;",
        "const x = g();",
        "function f( { return 1 }",
        "function f() { return 1 }\0",
        "{" * 5_000,
    ],
)
def test_what_cannot_be_mutated_is_left_out(new: str) -> None:
    assert mutate(new) == []
    assert mutate(new, path="a.ts") == []


def test_a_text_that_leads_the_parser_astray_is_given_up_on() -> None:
    assert script_tree(b"\"'" * 50_000) is None


def test_declarations_without_code_are_left_out() -> None:
    assert mutate("export interface A { f(): void }\ndeclare function g(): void;\n", path="a.ts") == []
    assert mutate("abstract class A { abstract f(): void; constructor(private x: number) {} }", path="a.ts") == []


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("5", "(5 + 1)"),
        ("5n", "(5n + 1n)"),
        ("-5", "(-5 + 1)"),
        ("'a'", "'a_'"),
        ("`a${b}`", '"_"'),
        ("true", "false"),
        ("[1, 2]", "[]"),
        ("{ a: 1 }", "{}"),
        ("/a+/g", "/(?!)/"),
    ],
)
def test_a_value_with_a_name_becomes_another_of_its_kind(value: str, other: str) -> None:
    assert mutate(f"export const A = {value};") == [f"export const A = {other};"]
    assert mutate(f"exports.A = {value};") == [f"exports.A = {other};"]
    assert mutate(f"export const A = {value};", path="a.mts") == [f"// @ts-nocheck\nexport const A = ({other} as any);"]


def test_an_object_that_holds_functions_keeps_its_shape() -> None:
    assert mutate("const a = { n: 1, f: () => 2 };")[0] == "const a = { n: 1, f: () => undefined };"


def test_only_what_the_task_changed_is_mutated() -> None:
    old = "const A = 1;\nfunction f() { return 1 }\nfunction g() { return 2 }\n"
    new = "const A = 1;\nfunction g() {\n  return 2 }\nfunction f() { return 3 }\n"
    assert mutate(new, old)[0] == "const A = 1;\nfunction g() {\n  return 2 }\nfunction f() { return undefined; }\n"
    assert mutate(old, old) == []


def test_what_is_needed_while_loading_is_left_alone_where_something_else_is_there() -> None:
    new = "const t = build().x;\nfunction build() { return {} }\nconst c = n.map((x) => x);\nconst f = () => 1;\n"
    assert mutate(new)[0] == new.replace("() => 1", "() => undefined")
    only = "const t = build().x;\nfunction build() { return {} }\n"
    assert mutate(only)[0] == only.replace("return {}", "return undefined;")
    program = "function main() { return 1 }\nif (require.main === module) { process.exitCode = main() }\n"
    assert "function main() { return undefined; }" in mutate(program)[0]


PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "function f() { ",
                "return 1;",
                "}",
                "(",
                ")",
                "=>",
                "a",
                "const b = ",
                "`x${",
                "}`",
                "'",
                '"',
                "/",
                "<p>",
            ),
            *("</p>", "class A {", "get x()", "*", "async ", ";", "\n", "é", "//", "/*", "*/", "[", "]", ","),
        ]
    ),
    max_size=40,
)


@settings(max_examples=150, deadline=None)
@given(PIECES, st.sampled_from(["a.js", "a.ts", "a.tsx"]))
def test_spoiled_code_never_raises_and_a_mutant_is_no_worse(pieces: list[str], path: str) -> None:
    text = "".join(pieces)
    before = script_tree(text.encode(), typed=path == "a.ts")
    for mutated in mutate(text, path=path):
        after = script_tree(mutated.encode(), typed=path == "a.ts")
        assert before and after and after.wrong <= before.wrong
