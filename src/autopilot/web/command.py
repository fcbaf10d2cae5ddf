"""``autopilot web``"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from autopilot.adapters.git.repository import locate
from autopilot.model.errors import Unavailable, UsageError
from autopilot.settings.reading import read_settings

INSTALL = (
    "install them with `pip install 'autopilot-roadmap[web]'`, "
    "or where pipx installed it: `pipx inject autopilot-roadmap starlette uvicorn jinja2 markdown-it-py`"
)
SHORTEST_TOKEN, LONGEST_TOKEN = 16, 1024
NEEDED = ("starlette", "uvicorn", "jinja2", "markdown_it", "mdurl", "markupsafe", "h11", "anyio")


def main(options: argparse.Namespace) -> int:
    try:
        from autopilot.web.serving import Place, serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise Unavailable(
            f"the page needs packages that are not installed ({error.name} is missing)", INSTALL
        ) from error
    place = Place(
        address=options.listen,
        port=options.port,
        certificate=options.certificate,
        key=options.key,
        behind_proxy=options.behind_proxy,
        scraper=_read_token(options.metrics_token) if options.metrics_token else "",
    )
    if not place.listens_beyond and (options.certificate or options.key or options.behind_proxy):
        raise _needless(options)
    if bool(options.certificate) != bool(options.key):
        raise UsageError("a certificate and its key go together", "name both: --certificate FILE --key FILE")
    if place.listens_beyond and not (place.has_tls or place.behind_proxy):
        raise UsageError(
            f"the page would be sent in clear text to everybody who can read the network at {options.listen}",
            "add --certificate FILE and --key FILE, or --behind-proxy https://NAME where a proxy of yours speaks TLS",
        )
    only = tuple(_locate(repository) for repository in options.repositories)
    return serve(place, read_settings(), only, may_write=not options.read_only, open_browser=options.open)


def _needless(options: argparse.Namespace) -> UsageError:
    """TLS or a proxy for a page that nobody else can reach."""
    given = (("--certificate", options.certificate), ("--key", options.key), ("--behind-proxy", options.behind_proxy))
    needless = [name for name, value in given if value]
    names, has = " and ".join(needless), "has" if len(needless) == 1 else "have"
    if not options.listen:
        wrong = f"the page is on this machine alone, where {names} {has} no use"
        return UsageError(wrong, f"add --listen ADDRESS to serve it to other machines, or leave {names} out")
    remedy = f"leave {names} out, or listen on an address that other machines reach"
    return UsageError(
        f"--listen {options.listen} serves the page to this machine alone, where {names} {has} no use", remedy
    )


def _read_token(file: str) -> str:
    """What Prometheus reads from the same file, as its ``credentials_file``."""
    hint = f"write one into it: head -c 24 /dev/urandom | base64 >{shlex.quote(file)}; chmod 600 {shlex.quote(file)}"
    try:
        with Path(file).open("rb") as opened:
            token = opened.read(LONGEST_TOKEN).decode("ascii", "replace").strip()
    except OSError as error:
        raise UsageError(f"the token for figures cannot be read from {file}: {error.strerror}", hint) from error
    if len(token) < SHORTEST_TOKEN or not token.isprintable():
        hint = "name a file of its own for it: (umask 077; head -c 24 /dev/urandom | base64 >metrics-token)"
        raise UsageError(f"{file} holds no token of {SHORTEST_TOKEN} characters or more", hint)
    return token


def _locate(repository: str) -> Path:
    folder = Path(repository)
    if not folder.is_dir():
        wrong = "is not a folder" if folder.exists() else "does not exist"
        raise UsageError(f"{repository} {wrong}", "name the folder of a repository, or none for all of yours")
    return locate(folder, to_read=True)[1]
