"""Reports of runs as resources: what `autopilot report` prints."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, unquote

import mcp_types as types

from autopilot.api.evidence.phase_evidence import read_runs
from autopilot.api.run_report import read_report
from autopilot.mcp_server.bounds import fit_text
from autopilot.mcp_server.places import Places
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.model.secrecy.terminal import strip_controls

SCHEME = "autopilot://report/"
MARKDOWN = "text/markdown"
MOST_LISTED = 20  # of each repository, newest first
TEMPLATE = types.ResourceTemplate(
    name="report",
    title="Report of a run",
    uri_template=SCHEME + "{repository}/{run}",
    description="phases, evidence, audit, cost and what was not checked, of the named run; `last` for the last one",
    mime_type=MARKDOWN,
)


def list_reports(places: Places) -> list[types.Resource]:
    return [resource for path in places.paths for resource in _of_repository(places, str(path))]


def _of_repository(places: Places, path: str) -> Iterator[types.Resource]:
    repository, _ = places.find(path)
    try:
        runs = list(read_runs(repository))
    except AutopilotError:
        return  # a tool says what is wrong with it
    for run in runs[: -MOST_LISTED - 1 : -1]:
        uri = f"{SCHEME}{quote(repository.home.root.name)}/{quote(run, safe='')}"
        yield types.Resource(
            uri=uri, name=run, title=f"{repository.path.name}: {run}", mime_type=MARKDOWN, description="report of a run"
        )


def read_resource(places: Places, uri: str) -> str:
    """Found among the names that are known here: no path of a request reaches the disk."""
    name, _, run = uri.removeprefix(SCHEME).partition("/")
    for path in places.paths if uri.startswith(SCHEME) else ():
        repository, _ = places.find(str(path))
        if unquote(name) in (repository.home.root.name, path.name):
            wanted = unquote(run)
            return fit_text(strip_controls(read_report(repository, "" if wanted == "last" else wanted).markdown))
    raise UsageError(f"there is no resource {uri[:200]!r}", "`resources/list` lists them")
