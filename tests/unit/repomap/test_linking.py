"""Imports and calls between the files of a project."""

from __future__ import annotations

import pytest

from autopilot.model.repomap.code_map import Links
from autopilot.repomap.extracting import extract
from autopilot.repomap.languages import language_of
from autopilot.repomap.linking import link


def linked(**files: str) -> Links:
    return link({path: extract(text.encode(), language_of(path)) for path, text in files.items()})


def calls(links: Links) -> set[tuple[str, str, str, str, bool]]:
    return {(edge.path, edge.caller, edge.target, edge.callee, edge.is_certain) for edge in links.calls}


IMPORTS = {
    "python": (
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "from .b import f\nfrom pkg.c import g\nimport os\n",
            "pkg/b.py": "",
            "pkg/c.py": "",
        },
        {"pkg/b.py", "pkg/c.py"},
    ),
    "script": (
        {"a.ts": "import { b } from './b.js'\nimport c from './c'\n", "b.ts": "", "c/index.ts": ""},
        {"b.ts", "c/index.ts"},
    ),
    "go": (
        {"main.go": 'package main\nimport "example.com/x/pkg/util"\n', "pkg/util/u.go": "package util\n"},
        {"pkg/util/u.go"},
    ),
    "go, its root": (
        {"x/x_test.go": 'package x_test\nimport "example.com/me/mux/v2"\n', "mux.go": "package mux\n"},
        {"mux.go"},
    ),
    "rust": (
        {"src/main.rs": "mod a;\nuse crate::b::f;\n", "src/a.rs": "", "src/b/mod.rs": ""},
        {"src/a.rs", "src/b/mod.rs"},
    ),
    "rust, a crate without src": (
        {
            "core/main.rs": "mod a;\n",
            "core/a/mod.rs": "use crate::b::{self, c::f};\n",
            "core/b/c.rs": "",
            "core/b.rs": "",
        },
        {"core/a/mod.rs", "core/b.rs", "core/b/c.rs"},
    ),
    "rust, of tests": (
        {"tests/all.rs": "mod util;\n", "tests/deep/one.rs": "use crate::util::f;\n", "tests/util.rs": ""},
        {"tests/util.rs"},
    ),
    "rust, a crate by the name that it gives itself": (
        {
            "Cargo.toml": '[package]\nname = "big-shop"\n[dependencies]\nname = "no"\n',
            "src/lib.rs": "pub mod cart;\n",
            "src/cart.rs": "",
            "tests/all.rs": "use big_shop::cart::Cart;\nuse big_shop::make;\nuse no::make;\n",
        },
        {"src/cart.rs", "src/lib.rs"},
    ),
    "rust, of its workspace": (
        {"app/src/main.rs": "use my_lib::deep::f;\nuse serde::Deserialize;\n", "my-lib/src/lib.rs": ""},
        {"my-lib/src/lib.rs"},
    ),
    "go, a module without a host": (
        {
            "main.go": 'package main\nimport "shop/util"\nimport "sort"\n',
            "util/u.go": "package util\n",
            "sort/s.go": "",
        },
        {"util/u.go"},
    ),
    "c#, a namespace inside of its own": (
        {
            "A.cs": "namespace Shop.Web { using Inner; class A { } }",
            "B.cs": "namespace Shop.Inner;\nclass B { }",
            "C.cs": "namespace Far.Inner;\nclass C { }",
        },
        {"B.cs"},
    ),
    "python, two of one name": (
        {"one/run.py": "import settings\n", "one/settings.py": "", "two/settings.py": ""},
        {"one/settings.py"},
    ),
    "java": (
        {"src/x/A.java": "package x; import y.B; class A {}", "src/y/B.java": "package y; public class B {}"},
        {"src/y/B.java"},
    ),
    "c": ({"src/a.c": '#include "b.h"\n#include <stdio.h>\n', "include/b.h": "int b;\n"}, {"include/b.h"}),
    "ruby": ({"a.rb": "require_relative 'lib/b'\n", "lib/b.rb": ""}, {"lib/b.rb"}),
    "php": (
        {"A.php": "<?php\nnamespace X; use Y\\B; class A {}", "B.php": "<?php\nnamespace Y; class B {}"},
        {"B.php"},
    ),
    "lua": ({"a.lua": 'local b = require("lib.b")\n', "lib/b.lua": ""}, {"lib/b.lua"}),
    "bash": ({"a.sh": "source ./lib/b.sh\n", "lib/b.sh": ""}, {"lib/b.sh"}),
    "elixir": ({"a.ex": "defmodule A do\n  alias X.B\nend\n", "b.ex": "defmodule X.B do\nend\n"}, {"b.ex"}),
}


@pytest.mark.parametrize("language", IMPORTS)
def test_an_import_leads_to_its_file(language: str) -> None:
    """covers: REPOMAP"""
    files, targets = IMPORTS[language]
    assert {target for edge in linked(**files).imports for target in edge.targets} == targets


def test_a_class_of_php_named_like_its_namespace_is_not_what_imports_of_the_namespace_mean() -> None:
    links = linked(
        **{
            "src/Root.php": "<?php\nnamespace Acme;\nclass Root {}\n",
            "src/Acme.php": "<?php\nnamespace Acme;\nclass Acme {}\n",
            "src/functions.php": "<?php\nnamespace Acme;\nfunction make() {}\n",
            "src/Deep/Leaf.php": "<?php\nnamespace Acme\\Deep;\nclass Leaf {}\n",
            "src/U.php": "<?php\nnamespace Other;\nuse Acme\\Root;\nuse Acme\\Acme;\nuse function Acme\\make as m;\n"
            "use Acme\\Gone;\nuse Acme\\Deep;\nuse Acme\\Deep\\Leaf;\nm();\n",
        }
    )
    assert [(edge.names[0], edge.targets) for edge in links.imports] == [
        ("Root", ("src/Root.php",)),
        ("Acme", ("src/Acme.php",)),
        ("make", ("src/functions.php",)),
        ("Gone", ()),
        ("Deep", ("src/Deep/Leaf.php",)),
        ("Leaf", ("src/Deep/Leaf.php",)),
    ]
    assert ("src/U.php", "", "src/functions.php", "make", True) in calls(links)


def test_an_import_of_a_file_that_is_not_there_is_not_resolved() -> None:
    edges = linked(**{"a.ts": "import './gone'\nimport 'react'\n", "p.py": "from .gone import x\nimport os\n"}).imports
    assert [(edge.source, edge.is_resolved) for edge in edges] == [
        ("./gone", False),
        ("react", True),
        (".gone", False),
        ("os", True),
    ]


def test_calls_are_resolved_through_imports() -> None:
    links = linked(
        **{
            "m.py": "from util import helper as h\nimport util\nfrom base import Base\n"
            "class C(Base):\n    def run(self):\n        self.step(); h(); util.other(); self.inherited()\n"
            "    def step(self): ...\n",
            "util.py": "def helper(): ...\ndef other(): ...\n",
            "base.py": "class Base:\n    def inherited(self): ...\n",
        }
    )
    assert calls(links) == {
        ("m.py", "C.run", "m.py", "C.step", True),
        ("m.py", "C.run", "util.py", "helper", True),
        ("m.py", "C.run", "util.py", "other", True),
        ("m.py", "C.run", "base.py", "Base.inherited", True),
    }


def test_a_call_that_only_its_name_resolves_is_not_certain_and_several_are_none() -> None:
    links = linked(
        **{
            "a.py": "def f(x):\n    x.unique(); x.common(); x.foreign()\n",
            "b.py": "class B:\n    def unique(self): ...\n    def common(self): ...\n",
            "c.py": "class C:\n    def common(self): ...\n",
        }
    )
    assert calls(links) == {("a.py", "f", "b.py", "B.unique", False)}
    (ambiguous,) = links.ambiguous
    assert (ambiguous.path, ambiguous.caller, ambiguous.line, ambiguous.name) == ("a.py", "f", 2, "common")
    assert ambiguous.candidates == (("B.common", "b.py"), ("C.common", "c.py"))


def test_a_default_export_is_called_by_the_name_of_its_importer() -> None:
    links = linked(**{"a.ts": "import make from './b'\nmake()\n", "b.ts": "export default function build() {}\n"})
    assert calls(links) == {("a.ts", "", "b.ts", "build", True)}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", "class A { void run() { stop(); new A(); } void stop() {} A() {} }"),
        ("a.rb", "class A\n  def run\n    stop(1)\n  end\n  def stop(x)\n  end\nend\n"),
        ("A.cs", "class A { void run() { stop(); } void stop() {} }"),
        ("a.kt", "class A {\n    fun run() { stop() }\n    fun stop() {}\n}\n"),
    ],
)
def test_a_method_is_called_by_its_name_inside_of_its_class(path: str, text: str) -> None:
    """covers: REPOMAP"""
    assert (path, "A.run", path, "A.stop", True) in calls(linked(**{path: text}))


def test_a_method_of_python_is_not_called_by_its_name_alone() -> None:
    text = "class A:\n    def run(self):\n        stop()\n    def stop(self): ...\n"
    assert calls(linked(**{"a.py": text})) == set()


HANDED_ON = {
    "rust, under another name": (
        {
            "src/main.rs": "mod flags;\nfn main() { flags::make_page(); flags::parse(); }\n"
            "fn other() { crate::flags::man::generate(); }\n",
            "src/flags/mod.rs": "pub use crate::flags::{man::generate as make_page, parse::parse};\n"
            "mod man;\nmod parse;\n",
            "src/flags/man.rs": "pub fn generate() {}\n",
            "src/flags/parse.rs": "pub fn parse() {}\n",
        },
        {
            ("src/main.rs", "main", "src/flags/man.rs", "generate", True),
            ("src/main.rs", "main", "src/flags/parse.rs", "parse", True),
            ("src/main.rs", "other", "src/flags/man.rs", "generate", True),
        },
    ),
    "rust, what its crate imports": (
        {
            "src/lib.rs": "use {crate::tool::Tool, help::mend};\nmod tool;\nmod help;\nmod files;\nmod run;\n",
            "src/run.rs": "use super::*;\nfn run() { mend(); Tool::make(); files::read(1); }\n",
            "src/tool.rs": "pub struct Tool;\nimpl Tool { fn make() {} }\n",
            "src/help.rs": "pub fn mend() {}\n",
            "src/files.rs": "pub fn read(x: u8) {}\n",
        },
        {
            ("src/run.rs", "run", "src/help.rs", "mend", True),
            ("src/run.rs", "run", "src/tool.rs", "Tool.make", True),
            ("src/run.rs", "run", "src/files.rs", "read", True),
        },
    ),
    "go, by the name of its package": (
        {
            "x_test.go": 'package shop_test\nimport "example.com/me/go-shop/v2"\nfunc f() { shop.Make() }\n',
            "shop.go": "package shop\nfunc Make() {}\n",
            "far/far.go": 'package far\nimport "example.com/me/odd"\nfunc f() { even.Make() }\n',
            "odd/odd.go": "package even\nfunc Make() {}\n",
        },
        {("x_test.go", "f", "shop.go", "Make", True), ("far/far.go", "f", "odd/odd.go", "Make", True)},
    ),
    "c#, of a namespace around it": (
        {
            "A.cs": "namespace Shop.Web; class A { void Run() { Tool.Mend(); Box<int>.Make(); new Box<int>(); } }",
            "Tool.cs": "namespace Shop; static class Tool { public static void Mend() { } }",
            "Box.cs": "namespace Shop; class Box<T> { public static void Make() { } }",
        },
        {
            ("A.cs", "A.Run", "Tool.cs", "Tool.Mend", True),
            ("A.cs", "A.Run", "Box.cs", "Box.Make", True),
            ("A.cs", "A.Run", "Box.cs", "Box", True),
        },
    ),
    "script, all of it, through two": (
        {
            "use.ts": "import { make, tools } from './index'\nmake(); tools.mend()\n",
            "index.ts": "export * from './mid'\nexport * from './other'\n",
            "mid.ts": "export * from './deep'\nexport * as tools from './tools'\n",
            "other.ts": "export function unrelated() {}\n",
            "deep.ts": "export function make() {}\n",
            "tools.ts": "export function mend() {}\n",
        },
        {("use.ts", "", "deep.ts", "make", True), ("use.ts", "", "tools.ts", "mend", True)},
    ),
    "python, of a package": (
        {
            "use.py": "import pkg\nfrom pkg import sub\npkg.make(); sub.Tool.mend()\n",
            "pkg/__init__.py": "from .impl import build as make\n",
            "pkg/impl.py": "def build(): ...\n",
            "pkg/sub.py": "class Tool:\n    def mend(self): ...\n",
        },
        {("use.py", "", "pkg/impl.py", "build", True), ("use.py", "", "pkg/sub.py", "Tool.mend", True)},
    ),
    "script, under another name": (
        {
            "use.ts": "import { outer, far, tools } from './names'\nimport Main from './names'\n"
            "outer(); far(); tools.mend(); Main.make()\n",
            "names.ts": "import { near } from './far'\nimport * as all from './tools'\nfunction inner() {}\n"
            "class Best { static make() {} }\n"
            "export { inner as outer, near as far, all as tools }\nexport default Best\n",
            "far.ts": "export function near() {}\n",
            "tools.ts": "export function mend() {}\n",
        },
        {
            ("use.ts", "", "names.ts", "inner", True),
            ("use.ts", "", "far.ts", "near", True),
            ("use.ts", "", "tools.ts", "mend", True),
            ("use.ts", "", "names.ts", "Best.make", True),
        },
    ),
    "script, modules in modules": (
        {
            "use.ts": "import * as z from './index'\nz.core.util.mend(); z.core.Tool.make()\n",
            "index.ts": "export * from './external'\n",
            "external.ts": "export * as core from './core'\n",
            "core.ts": "export * as util from './util'\nexport class Tool { static make() {} }\n",
            "util.ts": "export function mend() {}\n",
        },
        {("use.ts", "", "util.ts", "mend", True), ("use.ts", "", "core.ts", "Tool.make", True)},
    ),
    "script, required": (
        {
            "use.js": "const make = require('./make')\nconst { exist, one } = require('./list')\n"
            "const hidden = require('./list')[key]\nmake(); exist(); one(); hidden.inner()\nmake.call(this)\n",
            "make.js": "function build() {}\nmodule.exports = build\n",
            "list.js": "const more = require('./more')\nfunction inner() {}\n"
            "module.exports = { exist: inner, ...require('./more') }\n",
            "more.js": "function one() {}\nexports.one = one\n",
        },
        {
            ("use.js", "", "make.js", "build", True),
            ("use.js", "", "list.js", "inner", True),
            ("use.js", "", "more.js", "one", True),
        },
    ),
    "script, imported when it runs": (
        {
            "use.js": "let later\nasync function f() {\n  later = await import('./late.js')\n  later.go()\n"
            "  import('./late.js').then((other) => other.stop())\n}\n",
            "late.js": "export function go() {}\nexport function stop() {}\n",
            "more.js": "export function go() {}\nexport function stop() {}\n",
        },
        {("use.js", "f", "late.js", "go", True), ("use.js", "f", "late.js", "stop", True)},
    ),
    "files that hand on to each other": (
        {
            "use.ts": "import { gone } from './a'\ngone()\n",
            "a.ts": "export * from './b'\n",
            "b.ts": "export * from './a'\n",
        },
        set(),
    ),
}


@pytest.mark.parametrize("case", HANDED_ON)
def test_a_call_leads_through_files_that_hand_on_what_it_calls(case: str) -> None:
    files, expected = HANDED_ON[case]
    assert calls(linked(**files)) == expected


def test_a_function_of_the_file_that_a_class_comes_from_is_none_of_its_methods() -> None:
    links = linked(**{"use.py": "from a import C\nC.save()\n", "a.py": "class C: ...\ndef save(): ...\n"})
    assert {edge.is_certain for edge in links.calls} <= {False}


def test_a_constant_of_ruby_is_known_in_every_file() -> None:
    links = linked(
        **{
            "use.rb": "def f\n  Shop::Tools.mend(1)\n  Tools.stop(2)\nend\n",
            "tools.rb": "module Shop\n  module Tools\n    def self.mend(x) end\n    def stop(x) end\n  end\nend\n",
            "more.rb": "module Other\n  def mend(x) end\n  def stop(x) end\nend\n",
        }
    )
    assert calls(links) == {
        ("use.rb", "f", "tools.rb", "Shop.Tools.mend", True),
        ("use.rb", "f", "tools.rb", "Shop.Tools.stop", True),
    }


BASES = {
    "python, by its module": (
        {
            "use.py": "import base\nclass A(base.B):\n    def run(self):\n        self.stop()\n",
            "base.py": "class B:\n    def stop(self): ...\n",
        },
        ("A.run", "B.stop"),
    ),
    "java, of the class around it": (
        {"A.java": "class A { static void stop() {} static class B { B() { stop(); } } }"},
        ("A.B.B", "A.stop"),
    ),
    "php, a trait": (
        {
            "A.php": "<?php\nnamespace X;\nclass A { use T; function run() { $this->stop(); } }\n",
            "T.php": "<?php\nnamespace X;\ntrait T { function stop() {} }\n",
        },
        ("A.run", "T.stop"),
    ),
    "go, embedded": (
        {
            "a/a.go": 'package a\nimport "x.com/y/b"\ntype A struct {\n\tname string\n\t*b.B\n}\n'
            "func (a *A) run() { a.Stop() }\n",
            "b/b.go": "package b\ntype B struct{ C }\ntype C struct{}\nfunc (c C) Stop() {}\n",
        },
        ("A.run", "C.Stop"),
    ),
}


@pytest.mark.parametrize("case", BASES)
def test_a_method_of_what_a_class_is_made_from_is_its_own(case: str) -> None:
    files, (caller, callee) = BASES[case]
    more = {"more.py": "class Far:\n    def stop(self): ...\n", "far/far.go": "package far\nfunc (f F) Stop() {}\n"}
    assert {(caller, callee, True)} == {(one[1], one[3], one[4]) for one in calls(linked(**files, **more))}


def test_the_modules_that_a_class_of_ruby_includes_are_its_bases() -> None:
    links = linked(
        **{
            "use.rb": "module Shop\n  class Till\n    include Shop::Counting\n    extend Making\n"
            "    def run\n      first = count\n      tally(1)\n      size\n    end\n  end\nend\n",
            "counting.rb": "module Shop\n  module Counting\n    def count; self.inner end\n"
            "    def tally(x) end\n  end\nend\n",
            "more.rb": "module Other\n  def size; end\n  def inner; end\nend\n",
        }
    )
    assert calls(links) == {
        ("use.rb", "Shop.Till.run", "counting.rb", "Shop.Counting.count", True),
        ("use.rb", "Shop.Till.run", "counting.rb", "Shop.Counting.tally", True),
    }


def test_a_module_of_ruby_is_opened_in_many_files() -> None:
    files = {
        "use.rb": "module Shop\n  def f\n    Shop.open(1)\n  end\nend\n",
        "shop.rb": "module Shop\n  def self.open(x) end\nend\n",
    }
    assert ("use.rb", "Shop.f", "shop.rb", "Shop.open", True) in calls(linked(**files))


NO_FUNCTIONS = {
    "rust": {"a.rs": "fn f(path: P) { path.read(); }\n", "files.rs": "pub fn read() {}\n"},
    "rust, a type of its class": {
        "a.rs": "struct S;\nimpl T for S {\n  type Err = u8;\n  fn f() { Err(1) }\n}\nfn g() { Err(1); }\n"
    },
    "script": {"a.ts": "function f(x) { x.parse(); make().parse() }\n", "b.ts": "export function parse() {}\n"},
    "python": {"a.py": "def f(x):\n    x.parse()\n", "b.py": "def parse(): ...\n"},
    "python, a value of a module": {
        "a.py": "from b import load\nload()\n",
        "b.py": "load = make.load\n",
        "c.py": "def load(): ...\n",
    },
    "go": {"a/a.go": "package a\nfunc f(x X) { x.Parse() }\n", "b/b.go": "package b\nfunc Parse() {}\n"},
    "go, of its own": {
        "hash/a.go": 'package hash\nimport "hash"\nfunc f() { hash.New() }\n',
        "hash/b.go": "package hash\nfunc New() {}\n",
    },
}


@pytest.mark.parametrize("case", NO_FUNCTIONS)
def test_what_is_called_on_something_is_no_function_of_that_name(case: str) -> None:
    links = linked(**NO_FUNCTIONS[case])
    assert not links.calls and not links.ambiguous


FUNCTIONS_OF = {
    "rust, a module": {"a.rs": "fn f() { files::read(); }\n", "x/files.rs": "pub fn read() {}\n"},
    "script, a folder": {
        "a.ts": "import * as api from '@/api'\napi.read()\n",
        "lib/api/b.ts": "export function read() {}\n",
    },
    "c++, a namespace": {"a.cpp": "void f() { shop::read(); }\n", "b.cpp": "namespace shop { void read() {} }\n"},
    "kotlin, an extension": {"a.kt": "fun f(x: X) { x.shout() }\n", "b.kt": "fun String.shout() {}\n"},
}


@pytest.mark.parametrize("case", FUNCTIONS_OF)
def test_a_function_is_called_by_the_name_of_what_holds_it(case: str) -> None:
    assert len(calls(linked(**FUNCTIONS_OF[case]))) == 1


def test_by_its_name_alone_only_a_test_calls_what_is_in_a_test() -> None:
    texts = {"tests/test_b.py": "class Fake:\n    def send(self): ...\n"}
    caller = "def f(x):\n    x.send()\n"
    assert calls(linked(**texts, **{"a.py": caller})) == set()
    assert calls(linked(**texts, **{"tests/test_a.py": caller})) == {
        ("tests/test_a.py", "f", "tests/test_b.py", "Fake.send", False)
    }
