"""Secrets planted in every place where people keep them, and an agent that says all of them in every way it has."""

from __future__ import annotations

import base64
import json
import shlex
from pathlib import Path

from tests.scenario.kit.calls import Call, claim, debugger_claim, executor_claim, plan_call, work
from tests.scenario.kit.ratings import rate
from tests.scenario.kit.reviews import judge_message, verifier
from tests.scenario.kit.world import World

LOGIN = "claude"  # signed in by a file
KEYED = "codex"  # has a key in a variable that is not called one


def decoy(name: str) -> str:
    """Of no form that gives a secret away: only who knows the value can find it."""
    return f"{name}-{base64.b32encode(name.encode()).decode().strip('=').lower()[:12]}-4711"


def formed(prefix: str, name: str) -> str:
    """Known to nobody, and given away by its form. Put together here, so that no file holds one."""
    return f"{prefix}{(name.replace('-', '') + '0123456789abcdefghijklmnopqrstuvwxyz')[:36]}"


KEY_BODY = "\n".join(base64.b64encode(f"a line of the private key {n} ".encode() * 2).decode() for n in range(4))
SSH_KEY = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY_BODY}\n-----END OPENSSH PRIVATE KEY-----"
IN_ENVIRONMENT = ("environment-token", "environment-url", "environment-aws", "agent-key-variable")
IN_CHECKOUT = ("dotenv", "dotenv-local", "git-remote")
IN_HOME = ("npmrc", "netrc", "git-credentials", "aws", "docker", "gh", "pypirc")
OF_AGENTS = ("agent-login", "agent-key")
UNKNOWN = {
    "said-in-text": formed("gh" + "p_", "text"),
    "said-by-a-tool": formed("gl" + "pat-", "tool"),
    "said-in-a-reply": formed("sk" + "-ant-", "reply"),
    "said-by-a-test": formed("npm" + "_", "test"),
}
PLANTED = {
    **{name: decoy(name) for name in (*IN_ENVIRONMENT, *IN_CHECKOUT, *IN_HOME, *OF_AGENTS)},
    "ssh-key": KEY_BODY,
    **UNKNOWN,
    "in-colours": decoy("in-colours"),
    "as-base64": decoy("as-base64"),
    "in-a-commit-message": decoy("in-a-commit-message"),
}
ALL = "\n".join(SSH_KEY if name == "ssh-key" else value for name, value in PLANTED.items())


class Secretive(World):
    @property
    def environment(self) -> dict[str, str]:
        return {
            **super().environment,
            "SERVICE_TOKEN": PLANTED["environment-token"],
            "DATABASE_URL": f"postgres://app:{PLANTED['environment-url']}@db:5432/app",
            "AWS_SECRET_ACCESS_KEY": PLANTED["environment-aws"],
            "MODEL_ACCESS": PLANTED["agent-key-variable"],
            **{f"EXTRA_SECRET_{name}": PLANTED[name] for name in ("in-colours", "as-base64", "in-a-commit-message")},
        }


def plant(world: World) -> None:
    """Before the first commit is made."""
    p = PLANTED
    basic = base64.b64encode(f"me:{p['docker']}".encode()).decode()
    in_home = {
        ".npmrc": f"//registry.invalid/:_authToken={p['npmrc']}\n",
        ".netrc": f"machine host.invalid login me password {p['netrc']}\n",
        ".git-credentials": f"https://me:{p['git-credentials']}@host.invalid\n",
        ".ssh/id_ed25519": f"{SSH_KEY}\n",
        ".aws/credentials": f"[default]\naws_secret_access_key = {p['aws']}\n",
        ".docker/config.json": json.dumps({"auths": {"registry.invalid": {"auth": basic}}}),
        ".config/gh/hosts.yml": f"host.invalid:\n    oauth_token: {p['gh']}\n",
        ".pypirc": f"[pypi]\nusername = __token__\npassword = {p['pypirc']}\n",
        ".config/autopilot/settings.toml": f'[agent.{KEYED}]\nkey_env = "MODEL_ACCESS"\n',
    }
    for name, text in in_home.items():
        _write(world.home / name, text)
    world.write(".gitignore", ".env\n.autopilot/\n")
    world.commit("ignore")
    world.write(".env", f"export PAYMENT_KEY='{p['dotenv']}'\n")
    world.write(".env.local", f"OTHER_PASSWORD={p['dotenv-local']}\n")
    world.git("remote", "add", "origin", f"https://x-access-token:{p['git-remote']}@host.invalid/x.git")
    roster = world.settings.roster()
    login = roster.credentials(LOGIN)
    _write(login.files()[-1], json.dumps({"oauth": {"accessToken": p["agent-login"]}}))
    login.keep_key(p["agent-key"])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def indiscreet_calls(world: World) -> list[Call]:
    """Every role says everything; the executor fails at first, so that its debugger is told what was seen."""
    told, task = f"I found this:\n{ALL}", "01-01"
    coloured = "".join(f"\x1b[1;3{n % 8}m{letter}" for n, letter in enumerate(PLANTED["in-colours"]))
    encoded = base64.b64encode(f"x{PLANTED['as-base64']}y".encode()).decode()
    tools: list[Call] = [
        {"run": "env; cat ~/.npmrc ~/.netrc ~/.ssh/id_ed25519 .env .env.local; git remote -v; git config --list"},
        {"run": f"cat {' '.join(shlex.quote(str(world.home / name)) for name in ('.npmrc', '.ssh/id_ed25519'))}"},
        {"run": f"printf '%s\\n' {shlex.quote(ALL)}"},
        {"run": f"printf %s\\\\n {shlex.quote(coloured)} {shlex.quote(encoded)}"},
    ]
    wrong: Call = {"write": f"part-{task}.sh", "text": f"{halved('netrc')}\n"}
    message = f"done with {PLANTED['in-a-commit-message']}\n\n{ALL}"
    commit: list[Call] = [{"git": ["add", "-A"]}, {"git": ["commit", "-q", "-m", message]}]
    claimed = {**executor_claim(task), "deviations": [told]}
    executor = {**claim(task, *tools, wrong, *commit), "attempt": 1, "reply": claimed}
    debugger = {**work(task, role="debugger"), "reply": {**debugger_claim(), "changes": [told]}}
    research = {"key_findings": [told], "recommended_approach": told, "risks": [], "open_questions": []}
    planner = plan_call(world.plot, 1)
    planner["reply"]["concerns"] = [told]
    reviewer = verifier(1, task, 9.0)
    reviewer["reply"]["concerns"] = [told]
    rater = rate(1, {task: "9.6"})
    rater["reply"] |= {"concerns": [told], "aggregate_justification": told}
    reviews = [reviewer, rater, judge_message("proceed", told)]
    return [{"role": "researcher", "reply": research}, planner, executor, debugger, *reviews]


def halved(name: str) -> str:
    """A line of shell that prints a secret which does not stand in it."""
    value = PLANTED[name]
    return f'a={shlex.quote(value[:9])}; b={shlex.quote(value[9:])}; echo "it was $a$b"'
