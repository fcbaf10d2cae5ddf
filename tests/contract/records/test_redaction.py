"""No secret is stored, shown or prompted, whatever form it comes in. covers: T7 R-SECRET"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.adapters.redaction import make_redactor
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.secrecy.secrets import FORMS, Form, is_secret_name
from autopilot.model.secrecy.terminal import strip_controls

B = "abcDEF0123456789ghiJKL9876543210mnoPQR"  # decoy material: random enough to look like a secret
HEX = "0123456789abcdef" * 4
PEM = "MIIEowIBAAKCAQEA" + B * 3


def join(*parts: str) -> str:
    """Decoys are put together here, so that no file holds one that a scanner would report."""
    return "".join(parts)


# name -> (text around, the part that must vanish)
SECRETS: dict[str, tuple[str, str]] = {
    "aws access key": ("id {}", join("AK", "IAIOSFODNN7EXAMPLQ")),
    "aws secret key": ("aws_secret_access_key = {}", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1"),
    "github": ("git clone with {} now", join("gh", "p_", B[:36])),
    "github server": ("{}", join("gh", "s_", B[:36])),
    "github fine-grained": ("token {}", join("github", "_pat_", B)),
    "gitlab": ("x={}", join("gl", "pat-", B[:20])),
    "gitlab with signs": ("{}", join("gl", "pat-", "xY-_zQwErTyUiOpAsDfG")),
    "gitlab, routable": ("{}", join("gl", "pat-", B, ".01.0a1b2c3d4")),
    "gitlab runner": ("{}", join("gl", "rt-", B[:20])),
    "gitlab pipeline trigger": ("{}", join("gl", "ptt-", B)),
    "gitlab agent": ("{}", join("gl", "agent-", B)),
    "slack app": ("{}", join("xa", "pp-1-A0123456789-1234567890123-", HEX)),
    "slack rotated": ("{}", join("xo", "xe.xo", "xp-1-", B)),
    "aws session key": ("id {}", join("AS", "IAIOSFODNN7EXAMPLQ")),
    "github fine-grained, whole": ("{}", join("github", "_pat_", B[:22], "_", B, B[:21])),
    "openai, with signs": ("{}", join("sk", "-proj-", "aB3_xY-", B, "-", B)),
    "openrouter": ("{}", join("sk", "-or-v1-", HEX)),
    "slack": ("{}", join("xox", "b-123456789012-", B[:24])),
    "slack webhook": ("POST https://hooks.slack.com/{}", join("services/T0000AAAA/B0000AAAA/", B[:24])),
    "discord webhook": ("https://discord.com/api/webhooks/123456789/{}", B + B),
    "stripe": ("'{}'", join("sk", "_live_", B[:24])),
    "openai": ("OPENAI {}", join("sk", "-proj-", B)),
    "openai old": ("{}", join("sk", "-", B + B[:10])),
    "anthropic": ("{}", join("sk", "-ant-api03-", B)),
    "jwt": ("jwt {} end", join("ey", "JhbGciOiJIUzI1NiJ9.", "ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", B)),
    "pem": ("{}", f"-----BEGIN RSA PRIVATE KEY-----\n{PEM}\n{PEM}\n-----END RSA PRIVATE KEY-----"),
    "pem cut off": ("{}", f"-----BEGIN PRIVATE KEY-----\n{PEM}\n{PEM}"),
    "pem with headers": (
        "{}",
        f"-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{PEM}\n-----END EC PRIVATE KEY-----",
    ),
    "pem in json": (
        "{}",
        json.dumps(f"-----BEGIN OPENSSH PRIVATE KEY-----\n{PEM}\n-----END OPENSSH PRIVATE KEY-----")[1:-1],
    ),
    "url": ("https://user:{}@example.org/x", "correct-horse-battery"),
    "database url": ("postgres://app:{}@db:5432/app", "p%40ss!word"),
    "npm": ("//registry.example/:_authToken={}", join("npm", "_", B[:36])),
    "npm legacy": ("//registry.example/:_authToken={}", "01234567-89ab-cdef-0123-456789abcdef"),
    "pypi": ("{}", join("pypi", "-AgEIcHlwaS5vcmc", B, B)),
    "google api": ("key={}", join("AI", "za", B[:35])),
    "google oauth": ("{}", join("ya", "29.", B)),
    "bearer": ("Authorization: Bearer {}", B),
    "bearer in json": ('{{"Authorization": "Bearer {}"}}', B),
    "bearer alone": ("curl -H 'x: bearer {}'", B),
    "basic": ("authorization: Basic {}", base64.b64encode(b"user:hunter2-hunter2").decode()),
    "cookie": ("Set-Cookie: session={}; Path=/", B),
    "password": ("password={}", "hunter2-hunter2"),
    "password without digits": ("DB_PASSWORD={}", "correct-horse-battery"),
    "password flag": ("mysql --password={} -u root", "hunter2hunter2"),
    "password in query": ("/login?user=x&password={}&next=y", "hunter2hunter2"),
    "password in python": ('password = "{}"', "a phrase of words"),
    "password in json": ('{{"password": "{}"}}', "hunter2hunter2"),
    "password in escaped json": ('{{\\"client_secret\\": \\"{}\\"}}', "hunter2hunter2"),
    "password in yaml": ("db:\n  password: {}\n", "hunter2hunter2"),
    "api key in env file": ("export SERVICE_API_KEY={}\n", "abcdefgh-ijkl"),
    "netrc": ("machine example.org login me password {}", "hunter2hunter2"),
    "sendgrid": ("{}", join("S", "G.", B[:22], ".", B[:38])),
    "twilio": ("{}", join("S", "K", HEX[:32])),
    "telegram": ("bot {}", join("123456789:", "AA", B[:33])),
    "mailgun": ("{}", join("ke", "y-", HEX[:32])),
    "hugging face": ("{}", join("h", "f_", B[:34])),
    "digitalocean": ("{}", join("do", "p_v1_", HEX)),
    "shopify": ("{}", join("shp", "at_", HEX[:32])),
    "databricks": ("{}", join("da", "pi", HEX[:32])),
    "vault": ("{}", join("hv", "s.", B)),
    "docker": ("{}", join("dckr", "_pat_", B)),
    "azure": ("AccountName=x;AccountKey={};", B + B + "=="),
    "age": ("{}", join("AGE-SECRET", "-KEY-1", B.upper())),
    "groq": ("{}", join("gs", "k_", B)),
    "linear": ("{}", join("lin", "_api_", B)),
}


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize(
    "around", ["{}", "before {} after", "\n{}\n", '"{}"', "\x1b[31m{}\x1b[0m", '"said\\n{}\\nmore"']
)
def test_a_planted_secret_is_gone_and_its_place_is_marked(name: str, around: str) -> None:
    text, secret = SECRETS[name]
    clean = Redactor().clean(around.format(text.format(secret)))
    for line in secret.splitlines():
        if line and not line.startswith("-----"):
            assert line not in clean
    assert "[redacted:" in clean
    assert Redactor().clean(clean) == clean


ORDINARY = [
    "password = getpass.getpass()",
    "def login(token: SecretStr, password: str) -> None:",
    "client.connect(token=request.token, secret=load_secret())",
    "TOKEN=$(cat token.txt)",
    'password = "${DB_PASSWORD}"',
    'token: "<your token here>"',
    "secret: string; tokens: number",
    "a task-management-system-for-everybody, disk-usage-of-the-machine",
    "bearer of bad news; a basic internationalization",
    "commit 0123456789abcdef0123456789abcdef01234567",
    "sha256:" + HEX,
    "https://example.org:8443/path?x=1 and user@example.org",
    "ssh://git@example.org:22/x.git",
    "max_tokens=5000000 tokens: 1234567",
    "the token count is 123456789",
    "keyboard = 'qwertyuiop'",
    "monkey: banana-2-go-on",
    "assert tokenize(x) == ['a', 'b']",
    "sk-learn-contrib-is-not-a-secret",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    # Names of files, branches, variables and packages that begin as a token does.
    "tests/global-type-registry.test.ts",
    "src/glossary-term-extraction-service.spec.ts globals-of-the-whole-program",
    "glow-shader-compilation-unit-tests-2 glide-path-of-the-plane-3.test.js",
    "glagent-configuration-of-the-cluster-in-2-regions",
    "maxapp-configuration-of-the-windows xapp-component-registry-v2.test.ts",
    "xoxo-theme-with-hearts-and-2-roses foxox-something-long-enough-2",
    "locales/sk-SK-translations-of-messages-v2.json sk-i18n-messages-of-the-shop-2024.json",
    "github_pat_for_the_release_workflow_of_this_repository",
    "pypi-publishing-workflow-with-trusted-publishers-and-attestations-v2",
    "ASIAPACIFICNORTHEAST ASIAPACIFICSOUTHEAST",
    "hvs.list_of_all_secrets_engines_v2 = hvr.some_other_attribute_of_it",
    "SG.some-name-of-a-module.another-name-of-a-module-that-is-long-v2",
    "npm_config_registry npm_package_dependencies_typescript_eslint_parser",
    "task_test_discovery_in_folders risk_live_dashboards_of_everything",
    "hf_hub_download_everything_in_the_cache",
    "keyboard-shortcuts-registry.test.tsx monkey-patching-of-globals",
    "eyJ-is-how-a-token-begins dapi_service_of_the_department",
    "token-refresh-interceptor.spec.ts password-reset-flow.e2e.ts secret-santa-generator.py",
    "src/api-key-rotation/credentials-provider-chain.ts access_key_rotation_policy",
    "bearer-token-authentication-strategy.ts cookie-consent-banner-2024.tsx",
    "Valid password: `curl -X POST example.org/register` answers 201",
    "call sites that log (`api_key=`, `password=`, `token=`). Audit all `logger.exception` calls",
    "key-value-store-adapter.test.ts lin_api_client_of_the_tracker_that_we_use",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert Redactor().clean(text) == text


def test_a_password_between_backticks_is_one() -> None:
    assert Redactor().clean("password: `tr0ub4dor-and-3`") == "password: `[redacted:password]`"


def test_there_are_at_least_twenty_forms_and_each_is_caught_by_a_decoy() -> None:
    found = " ".join(Redactor().clean(text.format(secret)) for text, secret in SECRETS.values())
    names = {form.name for form in FORMS}
    assert len(names) >= 20
    assert {name for name in names if f"[redacted:{name}]" not in found} == set()


VALUE = 'Zq8 "v/é+x=%\\ tail'


@pytest.mark.parametrize(
    "text",
    [
        VALUE,
        json.dumps({"k": VALUE}),
        json.dumps(json.dumps({"k": VALUE})),
        json.dumps({"k": VALUE}, ensure_ascii=False),
        quote(VALUE, safe=""),
        quote(VALUE),
        VALUE.encode().hex(),
        *(base64.b64encode(b"x" * n + VALUE.encode() + b"y" * n).decode() for n in range(4)),
        *(base64.urlsafe_b64encode(b"user:" + b"x" * n + VALUE.encode()).decode() for n in range(3)),
        VALUE[:5] + "\x1b[1m" + VALUE[5:],
    ],
)
def test_a_known_value_is_gone_in_every_spelling(text: str) -> None:
    clean = Redactor({"MY_TOKEN": VALUE}).clean(f"<{text}>")
    assert "[redacted:MY_TOKEN]" in clean
    decoded = [VALUE, VALUE.encode().hex(), base64.b64encode(VALUE.encode()).decode()[2:-4], "tail"]
    assert not any(part in clean for part in decoded)


@given(value=st.text(min_size=8, max_size=40), before=st.binary(max_size=5), after=st.binary(max_size=5))
def test_any_known_value_is_gone_from_base64_at_any_place(value: str, before: bytes, after: bytes) -> None:
    text = base64.b64encode(before + value.encode("utf-8", "surrogatepass") + after).decode()
    assert "[redacted:V]" in Redactor({"V": value}, forms=()).redact(text)


def test_each_long_line_of_a_known_multi_line_value_is_gone() -> None:
    value = f"first-line-of-the-secret\n{B}\n"
    clean = Redactor({"KEY": value}, forms=()).clean(f"  12| {B}\n  13| first-line-of-the-secret")
    assert clean == "  12| [redacted:KEY]\n  13| [redacted:KEY]"


def test_a_value_that_contains_another_is_replaced_whole() -> None:
    clean = Redactor({"A": "longsecret", "B": "longsecret-and-more"}, forms=()).clean("longsecret-and-more longsecret")
    assert clean == "[redacted:B] [redacted:A]"


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("ANTHROPIC_API_KEY", True),
        ("GITHUB_TOKEN", True),
        ("DB_PASSWORD", True),
        ("npm_config__authToken", True),
        ("clientSecret", True),
        ("PGPASSWORD", True),
        ("PATH", False),
        ("KEYBOARD", False),
        ("SSH_AUTH_SOCK", False),
        ("AWS_SHARED_CREDENTIALS_FILE", False),
        ("TOKENIZERS_PARALLELISM", False),
        ("", False),
    ],
)
def test_a_secret_is_known_by_its_variable_name(name: str, secret: bool) -> None:
    assert is_secret_name(name) is secret


def test_secrets_come_from_the_given_environment_and_files(tmp_path: Path) -> None:
    environment = {
        "MY_TOKEN": "token-value-1",
        "SHORT_TOKEN": "short",
        "DATABASE_URL": "postgres://me:url-secret-2@db/x",
        "EDITOR": "/usr/bin/vim",
    }
    files = {
        ".netrc": "machine x login me password netrc-secret-3\n",
        "auth.json": json.dumps({"tokens": {"access": "json-secret-4"}, "user": "plain-user-name"}),
        ".env": "export API_KEY='env-secret-5'\nCOLOUR=plain-colour\n",
        "token": "file-secret-6\n",
        "credentials": "[default]\naws_secret_access_key = ini-secret-7\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    redactor = make_redactor(environment, [*(tmp_path / name for name in files), tmp_path / "missing", tmp_path])
    said = "token-value-1 url-secret-2 netrc-secret-3 json-secret-4 env-secret-5 file-secret-6 ini-secret-7"
    clean = redactor.clean(said)
    assert clean.count("[redacted:") == 7
    assert "secret" not in clean.replace("redacted", "")
    plain = "short plain-user-name plain-colour /usr/bin/vim postgres"
    assert redactor.clean(plain) == plain


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "unit",
    [
        "token=", "sk-", "sk-a", "eyJ", "eyJaaaaaaaaaa.", "eyJaaaaaaaaaa.eyJ", "://", "://a:", "a:b@",
        "-----BEGIN PRIVATE KEY-----", "-----", "xox", "password: ", 'password = "', "\\\\", "bearer ",
        "authorization: a ", "Cookie: a", "a", "1", "AKIA", " ", "gl", "glpat-", "secret=secret", "key-0", "\x1b[",
        "\x1b]", "\x1bP", "\x9b0", "SG.aaaaaaaaaaaaaaaaaaaa", '\\"password\\":',
        "%41", "&#65;", "&amp", "&a", "\\x41", "\\u0041", "\\U", "\\1", "'$'", "some-known-valu", "s\n",
        "some-known-value ",
    ],
)  # fmt: skip
def test_hostile_megabytes_come_back(unit: str) -> None:
    """Every form is linear by its structure; a quadratic one would not end here within the hour."""
    text = unit * (1_000_000 // len(unit))
    assert len(Redactor({"V": "some-known-value"}).clean(text)) <= len(text) * 5


CONTROLS = [
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x1b]0;title\x07text", "text"),
    ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("\x1b]52;c;aGVsbG8=\x07copied", "copied"),
    ("\x1bPdevice\x1b\\x", "x"),
    ("\x9b2Jx\x9d0;t\x9cy", "xy"),
    ("\x1b(Bx\x1bcy\x1b7z", "xyz"),
    ("a\x08b\x00c\x7fd", "abcd"),
    ("10%\r100%\r\nend", "10%\n100%\nend"),
    ("a\tb\nc", "a\tb\nc"),
    ("x\u202egnp.exe", "xgnp.exe"),
    ("\x1b]never closed\nnext line", "\nnext line"),
    ("\x1b", ""),
    ("naïve 日本語 → ok", "naïve 日本語 → ok"),
]


@pytest.mark.parametrize(("text", "plain"), CONTROLS)
def test_control_sequences_are_stripped_and_the_text_stays(text: str, plain: str) -> None:
    assert strip_controls(text) == plain


@given(st.text())
def test_no_control_character_is_ever_left(text: str) -> None:
    assert all(char in "\n\t" or not (ord(char) < 32 or 127 <= ord(char) < 160) for char in strip_controls(text))
    assert strip_controls(strip_controls(text)) == strip_controls(text)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_text_survive_redaction(content: bytes) -> None:
    printable = bytes(byte for byte in content if byte >= 0xA0 or byte in b"\n\t" or 32 <= byte < 127)
    assert Redactor(forms=()).clean_bytes(printable) == printable


def test_the_keys_of_two_agents_are_both_known_though_their_files_have_one_name(tmp_path: Path) -> None:
    files = [tmp_path / name / "key" for name in ("one", "two", "three")]
    for file, key in zip(files, ("first-key-of-one", "second-key-of-two", "4711471147114711"), strict=True):
        file.parent.mkdir()
        file.write_text(f"{key}\n")
    said = make_redactor({}, files).redact("first-key-of-one second-key-of-two 4711471147114711")
    assert said == "[redacted:key-1] [redacted:key-2] [redacted:key-3]"


def test_a_secret_may_have_any_name_when_it_is_said_to_be_one() -> None:
    redactor = make_redactor({"PLAIN": "not-a-secret"}, known={"PLAIN_TOO": "a-secret-value"})
    assert redactor.redact("not-a-secret a-secret-value") == "not-a-secret [redacted:PLAIN_TOO]"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_trying_a_form_around_its_hints_alone_misses_nothing(form: Form) -> None:
    texts = [text.format(secret) for text, secret in SECRETS.values()]
    whole = "\n".join([*texts, *ORDINARY, *(text.upper() for text in texts), "".join(texts), "İ".join(texts)])
    keep = r"\g<keep>" if "keep" in form.pattern.groupindex else ""
    assert Redactor(forms=[form]).redact(whole) == form.pattern.sub(f"{keep}[redacted:{form.name}]", whole)


def test_where_a_shell_stands_is_no_password() -> None:
    assert Redactor().clean("PWD=/home/you/project make") == "PWD=/home/you/project make"
    assert "hunter2secret" not in Redactor().clean("PWD=hunter2secret make")
