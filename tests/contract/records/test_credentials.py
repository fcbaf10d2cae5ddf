"""Secrets are known where people keep them, in every format, and common words are none. covers: T7 R-SECRET"""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from autopilot.adapters.credentials.files import IN_HOME, MOST_FOLDERS, credential_files
from autopilot.adapters.credentials.values import read_values
from autopilot.adapters.redaction import make_redactor
from autopilot.model.secrecy.secrets import is_guessable

BASIC = base64.b64encode(b"me:pass-in-basic-1").decode()
KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE\n-----END OPENSSH PRIVATE KEY-----"

# name -> (text, the secrets in it)
FILES: dict[str, tuple[str, set[str]]] = {
    ".npmrc": ("//registry.example/:_authToken=npm-secret-1\nemail=me@example.org\n", {"npm-secret-1"}),
    ".netrc": ("machine x login me\n  password netrc-secret-1\n", {"netrc-secret-1"}),
    ".git-credentials": ("https://me:git-secret%2B1@example.org\n", {"git-secret%2B1", "git-secret+1"}),
    ".gitconfig": ('[http "https://x"]\n\textraheader = AUTHORIZATION: basic header-secret-1\n', {"header-secret-1"}),
    "config": ('[remote "origin"]\n\turl = https://long-token-as-user-1@example.org/x\n', {"long-token-as-user-1"}),
    ".pypirc": ("[pypi]\nusername = __token__\npassword = pypi-secret-1\n", {"pypi-secret-1"}),
    "credentials": (
        "[default]\naws_secret_access_key = a/W+secret-1\n",
        {"a/W+secret-1"},
    ),
    "config.json": (f'{{"auths": {{"reg": {{"auth": "{BASIC}"}}}}}}', {BASIC, "pass-in-basic-1"}),
    "hosts.yml": ("github.com:\n    oauth_token: gh-secret-1\n    user: me\n", {"gh-secret-1"}),
    "id_ed25519": (KEY, {KEY}),
    "settings.xml": ("<server><username>me</username><password>xml-secret-1</password></server>", {"xml-secret-1"}),
    ".pgpass": ("db.example:5432:app:me:pg-secret-1\n", {"pg-secret-1"}),
    "credentials.toml": ('[registry]\ntoken = "cargo-secret-1"\n', {"cargo-secret-1"}),
    ".env": (
        "export API_KEY='env-secret-1' # rotate me\nDB=postgres://u:url-secret-1@db/x\nPASSWORD=postgres\n"
        "SSL_KEY=certs/dev.key\nTOKEN=${OTHER}\nPIN_SECRET=12345678\nCOLOUR=bright-red-1\n",
        {"env-secret-1", "url-secret-1"},
    ),
    ".vault-token": ("vault-secret-1\n", {"vault-secret-1"}),
    "auth.json": (
        '{"tokens": {"access": "json-secret-1"}, "url": "https://u:in-json-1@x/"}',
        {"json-secret-1", "in-json-1"},
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_every_secret_of_a_credential_file_is_known_and_nothing_else(name: str, tmp_path: Path) -> None:
    text, secrets = FILES[name]
    (tmp_path / name).write_text(text)
    assert set(read_values(tmp_path / name)) == secrets


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{", b"[" * 100_000, b"password\n", b"token=\n"])
def test_rubbish_holds_no_secret(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    assert list(read_values(tmp_path / "x")) == []
    assert list(read_values(tmp_path)) == []


@pytest.mark.parametrize(
    ("value", "guessable"),
    [
        ("postgres", True),
        ("Password", True),
        ("CHANGEME", True),
        ("12345678", True),
        ("short", True),
        ("~/.ssh/id_rsa", True),
        ("/run/secrets/db", True),
        ("certs/server.key", True),
        ("XkQzRtPwLmNb", False),
        ("correct-horse-battery", False),
        ("supercalifragilistic", False),
        ("/Ab9/xK2pQ7rT5vW8yZ1cF4hJ6mN3bD0gL", False),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1", False),
        ("4711471147114711", False),
    ],
)
def test_what_anybody_could_guess_is_not_hidden_everywhere(value: str, guessable: bool) -> None:
    assert is_guessable(value) is guessable


def test_places_are_the_home_the_repository_and_the_whole_checkout_to_some_depth(tmp_path: Path) -> None:
    home, checkout, git = (tmp_path / name for name in ("home", "checkout", "elsewhere.git"))
    inside = (".env", ".env.local", "prod.env", "app/.env", "app/web/.env", "a/b/c/server.pem")
    outside = (".env.example", "node_modules/x/.env", "a/b/c/d/.env", "README.md", ".git/x.key")
    for name in (*inside, *outside):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("x")
    for name in (".ssh/id_ed25519", ".ssh/work", ".ssh/id_ed25519.pub", ".ssh/known_hosts"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x")
    found = set(credential_files(home, checkout, git))
    assert found >= {*(checkout / name for name in inside), git / "config", *(home / name for name in IN_HOME)}
    assert {home / ".ssh/id_ed25519", home / ".ssh/work"} <= found
    assert found.isdisjoint({*(checkout / name for name in outside), home / ".ssh/id_ed25519.pub"})
    assert git / "config" in set(credential_files(None, checkout, git))


def test_a_checkout_of_many_folders_is_not_walked_to_its_end(tmp_path: Path) -> None:
    for number in range(MOST_FOLDERS + 50):
        (tmp_path / f"{number:05}").mkdir()
    (tmp_path / f"{MOST_FOLDERS + 49:05}" / ".env").write_text("x")
    assert tmp_path / f"{MOST_FOLDERS + 49:05}" / ".env" not in set(credential_files(None, tmp_path, tmp_path))


def test_what_is_known_from_files_is_gone_from_any_text(tmp_path: Path) -> None:
    for name, (text, _) in FILES.items():
        (tmp_path / name).write_text(text)
    redactor = make_redactor({}, [tmp_path / name for name in FILES])
    secrets = {secret for _, found in FILES.values() for secret in found}
    clean = redactor.clean("\n".join(f"it is >{secret}< here" for secret in secrets))
    assert not [secret for secret in secrets if secret in clean]
