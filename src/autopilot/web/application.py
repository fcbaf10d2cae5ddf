"""The routes of the page. Reading routes read records; posting ones exist only where the page may write."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from autopilot.api.evidence.phase_evidence import read_stored
from autopilot.api.evidence.transcripts import printed_lines, read_calls, read_transcript
from autopilot.api.page.records import Records
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.html.style import SHARED
from autopilot.reports.transcript import render_transcript
from autopilot.settings.reading import Settings
from autopilot.web.changes import Changes
from autopilot.web.decisions import cancel_run, decide_gate, decide_verdict, resume_run
from autopilot.web.forms import read_form
from autopilot.web.protection import METRICS
from autopilot.web.rendering import render
from autopilot.web.views.diff import show_diff
from autopilot.web.views.documents import show_document
from autopilot.web.views.figures import show_figures
from autopilot.web.views.inbox import show_inbox
from autopilot.web.views.log import show_log
from autopilot.web.views.metrics import TYPE, show_metrics
from autopilot.web.views.phase import show_phase
from autopilot.web.views.repository import show_repository
from autopilot.web.views.run import show_run

TYPES = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}
MOST_NOTES = 64
LARGEST_OUTPUT = 2_000_000  # characters

Endpoint = Callable[[Request], Awaitable[Response]]
Decide = Callable[[Request, Mapping[str, str]], str]


def make_application(records: Records, settings: Settings, *, may_write: bool) -> Starlette:
    pages = _Pages(records, settings, may_write)
    return Starlette(routes=list(pages.routes()), exception_handlers={404: pages.find_nothing})


class Note:
    """What came of a decision, for the page that the browser goes to next."""

    def __init__(self) -> None:
        self._notes: dict[str, tuple[str, str]] = {}

    def keep(self, tone: str, text: str) -> str:
        name = secrets.token_urlsafe(8)
        self._notes[name] = (tone, text)
        while len(self._notes) > MOST_NOTES:
            del self._notes[next(iter(self._notes))]
        return name

    def find(self, name: str) -> tuple[str, str] | None:
        return self._notes.get(name)


class _Pages:
    def __init__(self, records: Records, settings: Settings, may_write: bool) -> None:
        self._records = records
        self._settings = settings
        self._may_write = may_write
        self._changes = Changes(records)
        self._notes = Note()
        files = resources.files("autopilot.web") / "static"
        self._static = {name: (files / name).read_bytes() for name in TYPES}
        self._static["page.css"] = SHARED.encode() + self._static["page.css"]

    def routes(self) -> list[Route]:
        run = "/r/{repository}/runs/{run}"
        reading = [
            Route("/", self._page("inbox.html", lambda _: show_inbox(self._records))),
            Route("/over-time", self._page("figures.html", lambda _: show_figures(self._records))),
            Route("/changes", self._follow),
            Route(METRICS, self._metrics),
            Route("/static/{name}", self._file),
            Route("/r/{repository}", self._page("repository.html", lambda r: show_repository(self._record(r)))),
            Route("/r/{repository}/changes", self._follow),
            Route("/r/{repository}/outputs/{digest}", self._output),
            Route(run, self._page("run.html", lambda r: show_run(self._record(r), r.path_params["run"]))),
            Route(f"{run}/log", self._page("log.html", self._log)),
            Route(f"{run}/diffs/{{name}}", self._page("diff.html", self._diff)),
            Route(f"{run}/calls/{{number}}", self._transcript),
            Route(f"{run}/phases/{{phase}}", self._page("phase.html", self._phase)),
            Route(f"{run}/phases/{{phase}}/documents/{{name}}", self._page("document.html", self._document)),
        ]
        return [*reading, *self._posting()] if self._may_write else reading

    def _posting(self) -> list[Route]:
        settings = self._settings
        decisions: dict[str, Decide] = {
            "gates/{gate}": lambda r, form: decide_gate(self._record(r), settings, r.path_params["gate"], form),
            "verdicts/{phase}": lambda r, form: decide_verdict(self._record(r), settings, r.path_params["phase"], form),
            "cancel": lambda r, _: cancel_run(self._record(r), settings),
            "runs/{run}/resume": lambda r, form: resume_run(self._record(r), r.path_params["run"], form),
        }
        return [
            Route(f"/r/{{repository}}/{path}", self._decision(decide), methods=["POST"])
            for path, decide in decisions.items()
        ]

    async def find_nothing(self, _: Request, __: Exception) -> Response:
        error = UsageError("there is no such page", "the first page leads to all of them")
        return render(
            "error.html", {"error": error, "shown": "", "may_write": self._may_write, "note": None, "here": "/"}, 404
        )

    def _page(self, template: str, show: Callable[[Request], dict[str, Any]]) -> Endpoint:
        async def answer(request: Request) -> Response:
            return await run_in_threadpool(self._show, request, template, show)

        return answer

    def _show(self, request: Request, template: str, show: Callable[[Request], dict[str, Any]]) -> Response:
        always: dict[str, Any] = {
            "may_write": self._may_write,
            "note": self._notes.find(request.query_params.get("note", "")),
        }
        try:
            always["shown"] = self._records.version(request.path_params.get("repository", ""))  # before it is read
            return render(template, {**show(request), **always, "here": request.url.path})
        except UsageError as error:
            return render("error.html", {"error": error, "shown": "", **always, "here": "/"}, 404)
        except AutopilotError as error:
            return render("error.html", {"error": error, "shown": "", **always, "here": "/"}, 503)

    def _decision(self, decide: Decide) -> Endpoint:
        """The answer to a form is another page, so that going back and again sends nothing twice."""

        async def answer(request: Request) -> Response:
            back = "/"
            try:
                form = await read_form(request)
                back = _own_path(form.get("back", "/"))
                tone, text = "good", await run_in_threadpool(decide, request, form)
            except AutopilotError as error:
                tone, text = "bad", f"{error}. {error.hint}" if error.hint else str(error)
            return RedirectResponse(f"{back}?note={self._notes.keep(tone, text)}", 303)

        return answer

    def _record(self, request: Request) -> Any:
        return self._records.find(request.path_params["repository"])

    def _phase(self, request: Request) -> dict[str, Any]:
        return show_phase(self._record(request), request.path_params["run"], request.path_params["phase"])

    def _document(self, request: Request) -> dict[str, Any]:
        where = request.path_params
        return show_document(self._record(request), where["run"], where["phase"], where["name"])

    def _diff(self, request: Request) -> dict[str, Any]:
        return show_diff(self._record(request), request.path_params["run"], request.path_params["name"])

    def _log(self, request: Request) -> dict[str, Any]:
        return show_log(self._record(request), request.path_params["run"], request.query_params)

    async def _follow(self, request: Request) -> Response:
        name = request.path_params.get("repository", "")
        if self._changes.is_full:
            return PlainTextResponse("too many pages are open\n", 503)
        try:
            if name:
                await run_in_threadpool(self._records.find, name)
        except AutopilotError as error:
            return PlainTextResponse(f"{error}\n", 404)
        return self._changes.stream(name, request.query_params.get("shown", ""))

    async def _file(self, request: Request) -> Response:
        """Only what was read at the start: no path of a request reaches the disk."""
        content = self._static.get(request.path_params["name"])
        if content is None:
            return PlainTextResponse("there is no such file\n", 404)
        return Response(content, media_type=TYPES[request.path_params["name"]])

    async def _metrics(self, _: Request) -> Response:
        return PlainTextResponse(await run_in_threadpool(show_metrics, self._records), media_type=TYPE)

    async def _output(self, request: Request) -> Response:
        """What a command printed."""
        return await _as_text(lambda: read_stored(self._record(request).repository, request.path_params["digest"]))

    async def _transcript(self, request: Request) -> Response:
        """What an agent printed in one call."""

        def read() -> str:
            record, where = self._record(request), request.path_params
            [call] = read_calls(record.repository, step=where["number"], run=where["run"])
            return "\n".join(render_transcript(printed_lines(read_transcript(record.repository, call))))

        return await _as_text(read)


async def _as_text(read: Callable[[], str]) -> Response:
    """As text, whatever it looks like."""

    def answer() -> Response:
        try:
            text = read()
        except AutopilotError as error:
            return PlainTextResponse(f"{error}\n", 404)
        left_out = "" if len(text) <= LARGEST_OUTPUT else f"\n… {len(text) - LARGEST_OUTPUT} characters more\n"
        return PlainTextResponse(strip_controls(text[:LARGEST_OUTPUT]) + left_out)

    return await run_in_threadpool(answer)


def _own_path(path: str) -> str:
    """A way back within this page: never another site."""
    is_own = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path.partition("?")[0] if is_own else "/"
