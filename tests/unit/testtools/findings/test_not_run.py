"""What shells and package managers print of a command that never ran. Recorded from the real ones."""

from __future__ import annotations

import pytest

from autopilot.testtools.findings.not_run import why_not_run

# covers: T8.R, GATE
NODE_MODULE = """node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'eslint-plugin-vue'
Require stack:
- /home/me/project/eslint.config.js
  code: 'MODULE_NOT_FOUND',
Node.js v20.20.2
"""
PNPM = """> y@ lint /home/me/project
> eslint .

sh: 1: eslint: not found
 ELIFECYCLE  Command failed.
 WARN   Local package.json exists, but node_modules missing, did you mean to install?
"""
NO_NETWORK = """
> meter@1.0.0 lint:js
> npx eslint public/js/

npm error code EAI_AGAIN
npm error syscall getaddrinfo
npm error errno EAI_AGAIN
npm error request to https://registry.example/eslint failed, reason: getaddrinfo EAI_AGAIN registry.example
npm error A complete log of this run can be found in: /tmp/home/.npm/_logs/debug-0.log
"""
NOT_RUN = [
    (1, NO_NETWORK, "eslint is not installed"),
    (1, "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\n", "what npx calls is not installed"),
    (1, "/usr/bin/python3: No module named ruff\n", "the Python module ruff is not installed"),
    (1, ".venv/bin/python: No module named ruff\n", "the Python module ruff is not installed"),
    (2, "python3: can't open file '/p/lint.py': [Errno 2] No such file or directory\n", "there is no file /p/lint.py"),
    (127, "bash: line 1: ruff: command not found\n", "ruff is not installed"),
    (127, "> eslint .\n\nsh: 1: eslint: not found\n", "eslint is not installed"),
    (127, "bash: lint.sh: No such file or directory\n", "there is no lint.sh"),
    (126, "bash: line 1: ./lint: Permission denied\n", "./lint may not be executed"),
    (127, "", "it ended with exit status 127 before it began"),
    (1, 'npm error Missing script: "lint"\nnpm error\n', "no script lint"),
    (1, "npm ERR! missing script: lint\n", "no script lint"),
    (1, 'error Command "lint" not found.\n', "no script lint"),
    (254, 'undefined\n\u2009ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\u2009 Command "lint" not found\n', "no script lint"),
    (254, "npm error enoent Could not read package.json: Error: ENOENT\n", "no package.json"),
    (1, " ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND  No package.json was found\n", "no package.json"),
    (1, PNPM, "its node_modules are not installed"),
    (1, 'npm error npx canceled due to missing packages and no YES option: ["x"]\n', "what npx calls is not installed"),
    (9, "> t\n> node --nope x.js\n\nnode: bad option: --nope\n", "this node has no option --nope"),
    (1, NODE_MODULE, "eslint-plugin-vue is not installed"),
    (1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vite' imported from /p/vite.config.js\n", "vite is not"),
    (2, "make: ruff: No such file or directory\nmake: *** [Makefile:2: lint] Error 127\n", "there is no ruff"),
    (2, "make: *** No rule to make target 'lint'.  Stop.\n", "the Makefile has no target lint"),
    (101, "error: no such command: `clippy`\n", "cargo has no command clippy"),
    (
        2,
        "error: Failed to spawn: `ruff`\n  Caused by: No such file or directory (os error 2)\n",
        "ruff is not installed",
    ),
]


@pytest.mark.parametrize(("code", "printed", "reason"), NOT_RUN)
def test_a_command_that_never_ran_says_why_and_what_to_do(code: int, printed: str, reason: str) -> None:
    said = why_not_run(code, printed)
    assert said.startswith(reason)
    assert "project.commands" in said


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        (0, "bash: line 1: ruff: command not found\n"),
        (None, "bash: line 1: ruff: command not found\n"),
        (1, ""),
        (1, "ModuleNotFoundError: No module named 'shop'\n"),  # an import of the product, in a traceback
        (1, "Error: Cannot find module './src/missing'\n"),  # a part of the product
        (1, "src/a.ts(2,19): error TS2307: Cannot find module 'react' or its corresponding type declarations.\n"),
        (2, "grep: /nope: No such file or directory\n"),
        (1, "config.yml: not found\n"),
        (1, "3 problems\n"),
    ],
)
def test_a_command_that_ran_is_not_called_one_that_did_not(code: int | None, printed: str) -> None:
    assert why_not_run(code, printed) == ""
