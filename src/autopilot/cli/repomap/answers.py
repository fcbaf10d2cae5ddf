"""``autopilot repomap query`` and ``top``: what the map answers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from autopilot.adapters.repomap.maps import SqliteMaps
from autopilot.api.assembly import Repository
from autopilot.api.repomap import answer_document, top_document
from autopilot.cli.output import print_json, print_output
from autopilot.model.errors import UsageError
from autopilot.model.repomap.facts import FileFacts
from autopilot.repomap.linking import link
from autopilot.repomap.queries import Found, Query, answer, find_similar, is_defined, known_files
from autopilot.repomap.relevance import Topic
from autopilot.reports.markdown import one_line
from autopilot.settings.reading import MOST_MAP_TOKENS, read_settings

_OF_FILES = (Query.IMPORTERS_OF, Query.EXPORTS_OF)
_SUGGESTED = 3


def print_answer(options: argparse.Namespace, _: Repository, maps: SqliteMaps) -> int:
    """Nothing found is an answer too, and exit status 0: a script reads the list."""
    files = maps.load(options.commit).files
    links = link(files)
    query = Query(options.kind)
    found = answer(query, options.name, files, links)
    if options.json:
        print_json(answer_document(query, options.name, found))
        return 0
    print_output("".join(f"{_row(answer)}\n" for answer in found) or f"{_say_nothing(query, options.name, files)}\n")
    return 0


def print_top(options: argparse.Namespace, repository: Repository, maps: SqliteMaps) -> int:
    if not 0 < options.tokens <= MOST_MAP_TOKENS:
        wrong = f"--tokens {options.tokens} is not a length"
        raise UsageError(wrong, f"Give a number from 1 to {MOST_MAP_TOKENS:,}.")
    topic = Topic(" ".join(options.words), paths=tuple(options.file))
    document = top_document(repository, read_settings(), maps, topic, options.tokens, options.commit)
    if options.json:
        print_json(document)
    elif document["text"]:
        print_output(f"{document['text']}\n")
    else:
        has_files = bool(maps.load(options.commit).files)
        print_output("no file has anything to do with these words\n" if has_files else "this repository has no files\n")
    return 0


def _row(found: Found) -> str:
    by_name = "" if found.is_certain or found.meanings > 1 else " (by its name alone)"
    name = f"{found.name}: " if found.name and not found.what.startswith(found.name) else ""
    return one_line(f"{found.path}:{found.line}: {name}{found.what}{by_name}")


def _say_nothing(query: Query, name: str, files: Mapping[str, FileFacts]) -> str:
    """What is there has no similar names: it is spelled as it should be."""
    is_there = bool(known_files(name, files)) if query in _OF_FILES else is_defined(name, files)
    similar = () if is_there else find_similar(name, files)
    return f"{_nothing(query, name, is_there)}{_suggest(similar, name)}"


def _nothing(query: Query, name: str, is_there: bool) -> str:
    match query:
        case Query.IMPORTERS_OF:
            return f"nothing imports {name}" if is_there else f"nothing imports {name}, and no file has this name"
        case Query.EXPORTS_OF:
            return f"{name} exports nothing" if is_there else f"there is no file {name} in the map"
        case Query.CALLERS_OF if is_there:
            return f"no call of {name} was found"
        case Query.CALLEES_OF if is_there:
            return f"{name} calls nothing of this repository"
        case Query.SIMILAR_NAME:
            return f"nothing is called {name} or similar"
    return f"nothing of this repository is called {name}"


def _suggest(similar: tuple[Found, ...], name: str) -> str:
    others = [found.name for found in similar if found.name != name][:_SUGGESTED]
    return f"; similar names: {', '.join(dict.fromkeys(others))}" if others else ""
