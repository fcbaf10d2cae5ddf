"""The tools that only read. Each answers with the document that its command prints with `--json`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import msgspec

from autopilot.adapters.repomap.maps import SqliteMaps
from autopilot.api.assembly import Repository
from autopilot.api.evidence.explaining import read_explanation
from autopilot.api.evidence.phase_evidence import read_evidence
from autopilot.api.people.open_requests import OpenRequest, UnreadRepository, find_open_requests
from autopilot.api.reading import read_status
from autopilot.api.repomap import answer_document, open_maps, top_document
from autopilot.mcp_server.arguments import OfEverything, OfEvidence, OfMap, OfReasons, OfRepository, OfTopic
from autopilot.mcp_server.places import Places
from autopilot.repomap.linking import link
from autopilot.repomap.queries import Query, answer
from autopilot.repomap.relevance import Topic
from autopilot.reports.evidence.explanation import explanation_document
from autopilot.settings.reading import Settings, read_settings

Document = dict[str, Any]
LOG = "event_log"  # of the status: every event of the run, which `autopilot watch --all --json` prints


def show_status(places: Places, given: OfRepository) -> Document:
    repository, _ = places.find(given.repository)
    document, alive = read_status(repository)
    return {**{name: value for name, value in document.items() if name != LOG}, "alive": alive}


def show_evidence(places: Places, given: OfEvidence) -> Document:
    repository, _ = places.find(given.repository)
    document: Document = msgspec.to_builtins(read_evidence(repository, given.phase, given.run))
    return document


def show_reasons(places: Places, given: OfReasons) -> Document:
    repository, _ = places.find(given.repository)
    return explanation_document(read_explanation(repository, given.what, given.run))


def list_gates(places: Places, _: OfEverything) -> Document:
    own = {str(path) for path in places.paths}
    found = [each for each in find_open_requests(read_settings(), places.paths[0]) if each.repository in own]
    waiting = [msgspec.to_builtins(each) for each in found if isinstance(each, OpenRequest)]
    return {"waiting": waiting, "unread": [msgspec.to_builtins(e) for e in found if isinstance(e, UnreadRepository)]}


def query_map(places: Places, given: OfMap) -> Document:
    with _open_map(places, given.repository) as (_, __, maps):
        files = maps.load().files
        query = Query(given.query)
        return answer_document(query, given.name, answer(query, given.name, files, link(files)))


def find_relevant(places: Places, given: OfTopic) -> Document:
    topic = Topic(given.words, paths=tuple(given.files))
    with _open_map(places, given.repository) as (repository, settings, maps):
        return top_document(repository, settings, maps, topic, given.tokens)


@contextmanager
def _open_map(places: Places, name: str) -> Iterator[tuple[Repository, Settings, SqliteMaps]]:
    """With one process: whoever asks sits at this machine and works."""
    repository, settings = places.find(name)
    with closing(open_maps(repository, settings, 1)) as maps:
        yield repository, settings, maps
