"""The wire check: new files that nothing refers to.

covers: EXEC
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.inspection.wiring.wiring import orphans
from autopilot.text.python_imports import imported


def wired(added: str, source: str, text: str, **others: str) -> bool:
    texts = {added: "content\n", source: text, **others}
    return orphans([added], texts) == ()


@pytest.mark.parametrize(
    ("added", "source", "text"),
    [
        ("src/pkg/store.py", "src/pkg/api.py", "from pkg.store import open_store"),
        ("src/pkg/store.py", "src/pkg/api.py", "from pkg import config, store"),
        ("src/pkg/store.py", "src/pkg/api.py", "from pkg import (\n    config,  # first\n    store,\n)\n"),
        ("src/pkg/store.py", "src/pkg/api.py", "import os, pkg.store as kept"),
        ("src/pkg/store.py", "src/pkg/api.py", "from . import store"),
        ("src/pkg/store.py", "src/pkg/api.py", "from .store import x"),
        ("src/pkg/store.py", "src/pkg/cli/run.py", "from ..store import x"),
        ("src/pkg/store.py", "src/pkg/api.py", "def f():\n    from pkg.store import x\n"),
        ("src/pkg/store.py", "src/pkg/api.py", "import_module(f'pkg.{name}')"),
        ("src/pkg/store.py", "src/pkg/__init__.py", "for m in pkgutil.iter_modules(__path__): pass"),
        ("src/pkg/store.py", "pyproject.toml", 'run = "pkg.store:main"'),
        ("src/pkg/store.py", "Makefile", "run:\n\tpython -m pkg.store\n"),
        ("src/pkg/store.py", "README.md", "See `src/pkg/store.py`."),
        ("store.py", "app.py", "import store"),
        ("web/cart.ts", "web/shop.ts", "import { a } from './cart'"),
        ("web/cart.ts", "web/shop.ts", "import { a } from './cart.js'"),
        ("web/cart.ts", "web/pages/shop.tsx", 'export * from "../cart"'),
        ("src/lib/cart.ts", "src/shop.ts", "import a from '@/lib/cart'"),
        ("src/cart.ts", "src/shop.ts", "import a from '@/cart'"),
        ("web/user.service.ts", "web/shop.ts", "import a from './user.service'"),
        ("web/cart.js", "web/shop.js", "const cart = require('./cart')"),
        ("web/cart.js", "web/x.html", '<script src="cart.js"></script>'),
        ("web/views/cart.ts", "web/shop.ts", "const v = import.meta.glob('./views/*.ts')"),
        ("web/views/cart.ts", "web/shop.ts", "await import(`./views/${name}`)"),
        ("web/views/cart.js", "web/shop.js", "require('./views/' + name)"),
        ("web/CartList.vue", "web/Shop.vue", "<template><cart-list /></template>"),
        ("web/cart.css", "web/shop.ts", "import './cart.css'"),
        ("web/_cart.scss", "web/main.scss", "@use 'cart';"),
        ("styles/_cart.scss", "web/main.scss", "@use '../styles/cart';"),
        ("pkg/store/disk.go", "pkg/store/store.go", "package store"),
        ("pkg/store/disk.go", "cmd/a/x.go", 'import "example.org/shop/pkg/store"'),
        ("src/store.rs", "src/lib.rs", "pub mod store;"),
        ("src/store.c", "src/shop.c", '#include "store.h"'),
        ("src/store.h", "src/shop.c", '#include "store.h"'),
        ("src/store.c", "Makefile", "SRC = $(wildcard src/*.c)"),
        ("src/store.c", "CMakeLists.txt", "add_executable(shop src/store.c)"),
        ("src/shop/Cart.java", "src/shop/Shop.java", "Cart cart = new Cart();"),
        ("lib/cart_item.rb", "lib/shop.rb", "CartItem.new"),
        ("lib/cart.dart", "lib/shop.dart", "import 'cart.dart';"),
    ],
)
def test_every_way_of_referring_counts(added: str, source: str, text: str) -> None:
    assert wired(added, source, text)


@pytest.mark.parametrize(
    ("added", "source", "text"),
    [
        ("src/pkg/store.py", "src/pkg/api.py", "store = 1\nprint(store)\n# the store\n"),
        ("src/pkg/store.py", "src/pkg/api.py", "from other.store import x"),
        ("src/pkg/store.py", "src/other/api.py", "from .store import x"),
        ("src/pkg/store.py", "README.md", "The store keeps what is bought."),
        ("src/pkg/store.py", ".planning/phases/01-a/PLAN.md", "**Files:** src/pkg/store.py"),
        ("src/pkg/store.py", ".autopilot/log.md", "src/pkg/store.py"),
        ("src/pkg/store.py", "src/pkg/api.py", "from pkg.store_room import x"),
        ("src/pkg/store.py", "docs/x.md", "see restore.py and my-store.py"),
        ("web/cart.ts", "web/shop.ts", "const cart = 'my cart'"),
        ("web/cart.ts", "lib/shop.ts", "import a from './cart'"),
        ("web/cart.ts", "web/shop.ts", "import a from 'other/cart'"),
        ("web/cart.ts", "web/shop.ts", "import cart from 'cart'"),
        ("web/views/cart.ts", "web/shop.ts", "import.meta.glob('./models/*.ts')"),
        ("pkg/store/disk.go", "pkg/other/x.go", "package other // disk store"),
        ("pkg/store/disk.go", "pkg/store/disk_test.go", "package store"),
        ("src/store.rs", "src/lib.rs", "use crate::store; mod store { }"),
        ("src/store.c", "src/shop.c", '#include "restore.h"\nint store;'),
        ("src/shop/Cart.java", "src/shop/Shop.java", "Carts carts;"),
    ],
)
def test_a_word_that_is_only_alike_does_not_count(added: str, source: str, text: str) -> None:
    assert not wired(added, source, text)


def test_a_bare_import_does_not_mean_a_module_inside_a_package() -> None:
    package = {"pkg/__init__.py": "", "pkg/json.py": "x", "app.py": "import json", "pkg/a.py": ""}
    assert orphans(["pkg/json.py"], package) == ("pkg/json.py",)
    assert orphans(["pkg/json.py"], {**package, "pkg/a.py": "import json"}) == ()


@pytest.mark.parametrize(
    "path",
    [
        *("src/index.ts", "main.go", "src/App.tsx", "pkg/__init__.py", "pkg/__main__.py", "setup.py", "src/mod.rs"),
        *("vite.config.ts", "data.json", "ci.yaml", "Cargo.toml", ".eslintrc.js", "tsconfig.json"),
        *("a.test.ts", "a.spec.js", "__tests__/a.ts", "tests/helpers.py", "test_a.py", "conftest.py", "a_test.go"),
        *("bin/tool.py", "scripts/tool.ts", "tool.sh", "types/a.d.ts", "README.md", "docs/conf.py"),
        *("app/migrations/0001_first.py", "logo.svg", "Dockerfile", "query.sql", "public/a.js"),
        *("web/app/cart/page.tsx", "src/routes/cart.ts", "shop/management/commands/sell.py", ".planning/x.py"),
    ],
)
def test_files_that_stand_alone_by_their_kind_are_no_orphans(path: str) -> None:
    assert orphans([path], {path: "text", "src/other.py": ""}) == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tool.py", "#!/usr/bin/env python3\n"),
        ("tool.py", 'def f(): ...\n\nif __name__ == "__main__":\n    f()\n'),
        ("cmd/tool/run.go", "package main\n"),
        ("Tool.java", "class Tool { public static void main(String[] a) {} }"),
        ("tool.c", "int main(void) { return 0; }"),
    ],
)
def test_a_program_of_its_own_is_no_orphan(path: str, text: str) -> None:
    assert orphans([path], {path: text}) == ()


def test_a_file_that_names_only_itself_is_an_orphan() -> None:
    assert orphans(["pkg/store.py"], {"pkg/store.py": "import pkg.store  # store.py"}) == ("pkg/store.py",)


NAMES = st.text(st.sampled_from("abcdefgh_"), min_size=2, max_size=6).filter(lambda name: name.strip("_") == name)


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.text(max_size=80))
def test_an_import_always_saves_and_silence_never_does(modules: list[str], noise: str) -> None:
    added = [f"zz/qq{name}.py" for name in modules]
    texts = dict.fromkeys(added, "") | {"zz/other.py": noise.replace("qq", "")}
    assert orphans(added, texts) == tuple(added)
    imports = "\n".join(f"from zz import qq{name}" for name in modules)
    assert orphans(added, {**texts, "zz/more.py": imports}) == ()


@given(
    st.dictionaries(st.sampled_from(["a.py", "b.ts", "c.go", "d.rs", "e.c", "F.java", "g.vue"]), st.text(max_size=50))
)
def test_any_text_can_be_looked_at_and_more_texts_never_make_more_orphans(texts: dict[str, str]) -> None:
    found = orphans(list(texts), texts)
    assert set(found) <= set(texts)
    assert set(orphans(list(texts), {**texts, "x.md": " ".join(texts)})) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a", {(0, ("a",))}),
        ("import a.b as c, d", {(0, ("a",)), (0, ("a", "b")), (0, ("d",))}),
        ("from . import a", {(1, ("a",))}),
        ("from ..a.b import c, d as e", {(2, ("a", "b")), (2, ("a", "b", "c")), (2, ("a", "b", "d"))}),
        ("from a import b; import c", {(0, ("a",)), (0, ("a", "b"))}),
        ("from a import b, \\\n    c", {(0, ("a",)), (0, ("a", "b")), (0, ("a", "c"))}),
        ("important = 1\nfromage = 2\n", set()),
    ],
)
def test_imports_are_read_without_parsing(text: str, expected: set[object]) -> None:
    assert set(imported(text)) == expected


def test_hostile_texts_are_looked_at_like_any_other() -> None:
    for hostile in ("store" * 50_000, "a/" * 100_000 + "store.py", "from a import (" * 20_000, "store." * 50_000):
        assert orphans(["pkg/store.py"], {"pkg/store.py": "", "x.py": hostile}) in ((), ("pkg/store.py",))
