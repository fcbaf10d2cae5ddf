"""What secrets look like: names of variables that hold them, and the forms that give them away.

Every form can be matched in linear time: it starts at a fixed word, its runs are bounded or possessive, and where a
run could be entered in its middle a lookbehind forbids it. Hostile output of any length costs no more than its length.
A pattern is tried only around its hints: looking for a few plain words is many times quicker than any pattern is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from urllib.parse import urlsplit

from msgspec import Struct

MIN_LENGTH = 8  # shorter values are words of ordinary text


class Form(Struct, frozen=True):
    """``hints`` are lower-case words without which the pattern cannot match; ``keep`` is the part that may stay.

    A match begins at a hint, or no further before it than the number beside it says.
    """

    name: str
    source: str
    hints: tuple[tuple[str, int], ...]
    flags: int = 0

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.source, self.flags)


@cache
def _compiled(source: str, flags: int) -> re.Pattern[str]:
    # At first use: most texts need few of the forms, and hot commands none.
    return re.compile(source, flags)


def _form(name: str, source: str, *hints: str | tuple[str, int], flags: int = 0) -> Form:
    assert hints, "a form without a hint would be tried on every text"
    return Form(name, source, tuple((hint, 0) if isinstance(hint, str) else hint for hint in hints), flags)


# Most of what agents say comes as JSON, where a line end is a backslash and a letter.
_AFTER_ESCAPE = r"(?<=\\[bfnrt])"
_START = rf"(?:(?<![A-Za-z0-9])|{_AFTER_ESCAPE})"
# A name of a file or a variable is made of words. Random letters go on for longer, with digits among them.
_RANDOM = r"(?=(?:[A-Za-z0-9]{0,15}[_-]){0,8}+(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{16})"
_WORD = rf"(?:\b|{_AFTER_ESCAPE})"
_JWT_PART = r"[A-Za-z0-9_-]"
_WORDS = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret(?:[_-]?key)?|token|credentials?|"
    r"(?:api|access|private|account|signing|encryption|master|shared)[_-]?key)"
)
_HINTS = ("passw", "passphrase", "passcode", "pwd", "secret", "token", "credential", ("key", len("encryption_")))
_UNQUOTED = r"[^\s\"'`,;&<>(){}\[\]$|\\]"

FORMS: tuple[Form, ...] = (
    _form(
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[A-Za-z0-9+/=\s\\:,.\"'→]|-(?!----)){0,32768}+(?:-----END [A-Z0-9 ]{1,60}-----)?",
        "-----begin ",
    ),
    _form("age-key", r"AGE-SECRET-KEY-1[A-Z0-9]{20,100}+", "age-secret-key-"),
    _form(
        "jwt",
        rf"(?:(?<!{_JWT_PART})|{_AFTER_ESCAPE})eyJ{_JWT_PART}{{8,}}+\.eyJ{_JWT_PART}{{8,}}+(?:\.{_JWT_PART}*+)?",
        "eyj",
    ),
    _form(
        "aws-access-key",
        rf"{_START}(?:AKIA|(?:ASIA|ABIA|ACCA)(?=[A-Z]{{0,15}}[0-9]))[A-Z0-9]{{16}}(?![A-Z0-9])",
        *("akia", "asia", "abia", "acca"),
    ),
    _form("github-token", r"gh[pousr]_[A-Za-z0-9]{30,255}+", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _form("github-token", r"github_pat_[A-Za-z0-9]{22}[A-Za-z0-9_]{0,233}+", "github_pat_"),
    _form(
        "gitlab-token",
        rf"{_START}gl(?:pat|dt|rt|rtr|ft|soat|imt|cbt|ptt|oas|ffct|wt|agent(?=-{_RANDOM}))-[A-Za-z0-9_.-]{{20,255}}+",
        "gl",
    ),
    _form(
        "slack-token",
        rf"{_START}(?:xox[abcdeprs](?:\.xox[a-z])?-(?=[A-Za-z0-9%-]{{0,60}}[0-9])|xapp-[0-9]-)[A-Za-z0-9-]{{10,255}}+",
        *("xox", "xapp-"),
    ),
    _form(
        "slack-webhook",
        r"(?P<keep>hooks\.slack\.com/)(?:services|workflows|triggers)/[A-Za-z0-9/_-]{16,255}+",
        "hooks.slack.com/",
    ),
    _form("discord-webhook", r"(?P<keep>/api/webhooks/[0-9]{5,25}/)[A-Za-z0-9_-]{30,255}+", "/api/webhooks/"),
    _form(
        "stripe-key",
        rf"{_START}(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{{16,255}}+",
        ("k_live_", 1),
        ("k_test_", 1),
        "whsec_",
    ),
    _form("anthropic-key", rf"{_START}sk-ant-[A-Za-z0-9_-]{{16,255}}+", "sk-ant-"),
    _form("openai-key", rf"{_START}sk-{_RANDOM}[A-Za-z0-9_-]{{20,255}}+", "sk-"),
    _form("google-api-key", r"AIza[A-Za-z0-9_-]{35}", "aiza"),
    _form("google-token", rf"{_START}(?:ya29\.|GOCSPX-|1//0)[A-Za-z0-9_.-]{{20,512}}+", "ya29.", "gocspx-", "1//0"),
    _form("npm-token", r"npm_[A-Za-z0-9]{36}", "npm_"),
    _form("pypi-token", rf"pypi-{_RANDOM}[A-Za-z0-9_-]{{50,512}}+", "pypi-"),
    _form("docker-token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,255}+", "dckr_"),
    _form("huggingface-token", rf"{_START}hf_[A-Za-z0-9]{{30,100}}+", "hf_"),
    _form("sendgrid-key", rf"{_START}SG\.[A-Za-z0-9_-]{{20,24}}+\.{_RANDOM}[A-Za-z0-9_-]{{32,64}}+", "sg."),
    _form("twilio-key", rf"{_START}SK[0-9a-f]{{32}}(?![0-9a-f])", "sk"),
    _form("telegram-token", rf"{_START}[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{30,60}}+", (":aa", 10)),
    _form("mailgun-key", rf"{_START}key-[0-9a-f]{{32}}(?![0-9a-f])", "key-"),
    _form("shopify-token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", "shp"),
    _form("digitalocean-token", r"do[opr]_v1_[0-9a-f]{64}", ("_v1_", 3)),
    _form("databricks-token", rf"{_START}dapi[0-9a-f]{{32}}(?![0-9a-f])", "dapi"),
    _form("vault-token", rf"{_START}hv[sbr]\.{_RANDOM}[A-Za-z0-9_-]{{24,512}}+", "hvs.", "hvb.", "hvr."),
    _form("model-key", rf"{_START}(?:gsk_|xai-|r8_|pplx-)[A-Za-z0-9]{{30,255}}+", "gsk_", "xai-", "r8_", "pplx-"),
    _form("linear-key", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,255}+", "lin_"),
    _form("azure-key", r"(?P<keep>AccountKey=)[A-Za-z0-9+/]{40,128}+={0,2}", "accountkey="),
    _form(
        "url-password",
        r"(?P<keep>://[^\s/:@\"'<>]{0,128}+:)(?![$\[{])[^\s/@\"'<>]{1,256}+(?=@)",
        "://",
    ),
    _form(
        "authorization",
        r"(?P<keep>authorization\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?:[a-z]{1,20}\s{1,3})?)"
        r"(?![$\[{<])[A-Za-z0-9._~+/=:-]{12,4096}+",
        "authorization",
        flags=re.IGNORECASE,
    ),
    _form(
        "bearer-token",
        rf"(?P<keep>{_WORD}bearer\s{{1,3}})(?=[A-Za-z._~+/=-]{{0,60}}[0-9])[A-Za-z0-9._~+/=-]{{16,4096}}+",
        "bearer",
        flags=re.IGNORECASE,
    ),
    _form(
        "cookie",
        rf"(?P<keep>{_WORD}(?:set-)?cookie:\s{{0,3}}+[^\s=;\"']{{1,64}}+=)(?!\[)[^\s;\"']{{8,4096}}+",
        ("cookie", len("set-")),
        flags=re.IGNORECASE,
    ),
    # name = "quoted": a literal, whatever it says, unless it only names a place to fill in.
    _form(
        "password",
        rf"(?P<keep>{_WORDS}\\{{0,3}}[\"']?\s{{0,3}}(?:=>|:=|[:=])\s{{0,3}}\\{{0,3}}(?P<quote>[\"']))"
        r"(?![$\[{<%])(?:(?!(?P=quote))[^\s\\]|\\[^\s\"'`]| (?! )){8,512}+",
        *_HINTS,
        flags=re.IGNORECASE,
    ),
    # name: `value`; with spaces it is a command or a sentence, and a backtick behind `name=` ends what began before it.
    _form(
        "password",
        rf"(?P<keep>{_WORDS}[\"']?\s{{0,3}}(?:=>|:=|[:=])\s{{0,3}}`)(?![$\[{{<%])[^\s`]{{8,512}}+(?=`)",
        *_HINTS,
        flags=re.IGNORECASE,
    ),
    # name=value without spaces, as in a shell or a .env file; not an argument in a program text.
    _form(
        "password",
        rf"(?P<keep>{_WORDS}=)(?![$\[{{<%/]){_UNQUOTED}{{8,512}}+(?=[\s&;\"'`\\|]|$)",
        *_HINTS,
        flags=re.IGNORECASE,
    ),
    # name: value, as in YAML; only with a digit, for otherwise every typed parameter would be one.
    _form(
        "password",
        rf"(?P<keep>{_WORDS}\s{{0,3}}[:=]\s{{1,3}})(?![$\[{{<%])(?=[^\s0-9]{{0,60}}[0-9]){_UNQUOTED}{{8,512}}+(?=[\s;\\\"'`]|$)",
        *_HINTS,
        flags=re.IGNORECASE,
    ),
    _form(
        "password", rf"(?P<keep>{_WORD}password )(?=[^\s0-9]{{0,60}}[0-9])[^\s\"'\[]{{8,512}}+", "password "
    ),  # .netrc
    _form("npm-token", r"(?P<keep>:_(?:authToken|auth|password)=)(?!\$)[^\s\"']{8,512}+", ":_auth", ":_password"),
)

_SECRET_WORDS = re.compile(
    r"(?:KEY|APIKEY|TOKENS?|SECRETS?|PASSWORD|PGPASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|PAT|JWT|"
    r"BEARER|WEBHOOK|PRIVATE)"
)
_PLACE_WORDS = re.compile(r"(?:SOCK|SOCKET|FILE|PATH|DIR|HOME|ASKPASS|COMMAND|HELPER|TYPE|NAME|USER|ID|COUNT|LIMIT)")
_PATH = re.compile(
    r"(?:~|\.{1,2}|/(?:app|data|etc|home|mnt|opt|root|run|srv|tmp|usr|var|workspace|Users))(?:/[\w.@ -]{1,100}){1,20}"
    r"|(?:[\w.-]{1,100}/){0,20}[\w-]{1,100}\.(?:crt|json|key|p8|pem)"
)
_USER_INFO = re.compile(r"://[^\s/:@]{0,128}:([^\s/@]{1,256})@")


def is_secret_name(name: str) -> bool:
    """Whether a variable or key of this name holds a secret itself rather than where one lies."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    parts = [word for word in re.split(r"[^A-Z0-9]+", spaced.upper()) if word]
    return any(map(_SECRET_WORDS.fullmatch, parts)) and not _PLACE_WORDS.fullmatch(parts[-1])


def is_guessable(value: str) -> bool:
    """A password such as "postgres" or "12345678", or the path of a key: hidden everywhere, it would spoil any text."""
    is_word = value.isalpha() and len(value) < 16 and (value[1:].islower() or value.isupper())
    is_number = value.isdigit() and len(value) < 12
    return len(value) < MIN_LENGTH or is_word or is_number or bool(_PATH.fullmatch(value))


def address_values(name: str, address: str) -> dict[str, str]:
    """Of an address that is a secret, as a webhook's is: the whole of it, and its path, without which it is nothing.

    A server's complaint or a log shows the path without the host. A short one, such as "/notify", is in many programs.
    """
    parts = urlsplit(address)
    path = parts.path.strip("/") + (f"?{parts.query}" if parts.query else "")
    pieces = [path, *re.split(r"[/?&=]", path)]
    long = [piece for piece in dict.fromkeys(pieces) if len(piece) >= 2 * MIN_LENGTH]
    return {name: address, **{f"{name}-{number}": piece for number, piece in enumerate(long, 1)}}


def secret_values(variables: Mapping[str, str]) -> dict[str, str]:
    """Name to value of what must never be shown: by the variable's name, or as the password inside a URL."""
    found = {name: value for name, value in variables.items() if is_secret_name(name)}
    for name, value in variables.items():
        if name not in found and (match := _USER_INFO.search(value)):
            found[name] = match[1]
    return {name: value for name, value in found.items() if not is_guessable(value)}
