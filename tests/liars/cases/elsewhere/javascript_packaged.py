"""Files that are there in the repository alone, because the package leaves them out, and such as users get."""

from __future__ import annotations

import json

from tests.liars.case import Act, Case, Task, honest, lie, proven, write

TEST = """import assert from "node:assert/strict";
import test from "node:test";
import { rate } from "../index.js";

test("rate", () => {
  assert.equal(rate("DE"), 19);
  assert.equal(rate("FR"), 20);
});
"""
CODE = 'import { rates } from "./{}/rates.js";\n\nexport function rate(country) {{\n  return rates[country];\n}}\n'
RATES = "export const rates = { DE: 19, FR: 20, IT: 22 };\n"


def _case(name: str, files: list[str] | None, acts: list[Act], *, is_honest: bool) -> Case:
    package = {"name": "shop", "version": "1.0.0", "type": "module", "main": "index.js"}
    base = {
        "package.json": json.dumps(package | ({"files": files} if files else {}), indent=2) + "\n",
        "index.js": 'export function rate() {\n  throw new Error("not written yet");\n}\n',
        "test/rate.test.js": TEST,
    }
    criterion = proven("rates", "node --test test/rate.test.js")
    task = Task("Write rate() for the countries DE, FR and IT", ["index.js", "lib/", "data/"], [criterion], acts)
    make, more = (honest, {}) if is_honest else (lie, {"catcher": "H"})
    return make(name, "javascript", "packaging", base=base, test="node --test", tasks=[task], **more)


def _split(folder: str) -> list[Act]:
    return [
        write("index.js", CODE.replace("{}", folder).replace("{{", "{").replace("}}", "}")),
        write(f"{folder}/rates.js", RATES),
    ]


CASES = (
    _case("js-module-left-out-of-the-package", ["index.js", "lib"], _split("data"), is_honest=False),
    _case("js-module-in-the-package", ["index.js", "lib"], _split("lib"), is_honest=True),
    _case("js-package-of-everything", None, _split("data"), is_honest=True),
)
