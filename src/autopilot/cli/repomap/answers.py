"""``autopilot repomap query`` and ``top``: what the map answers."""

from __future__ import annotations

import argparse

import msgspec

from autopilot.adapters.repomap.maps import SqliteMaps
from autopilot.api.assembly import Repository
from autopilot.api.repomap import search_words
from autopilot.cli.output import print_json, print_message, print_output
from autopilot.model.errors import UsageError
from autopilot.repomap.excerpt import render_excerpt
from autopilot.repomap.linking import link
from autopilot.repomap.queries import Found, Query, answer, find_similar, known_files
from autopilot.repomap.relevance import Topic, order_files, weigh_stems
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
        document = {"query": query.value, "name": options.name, "found": msgspec.to_builtins(found)}
        if query in (Query.CALLERS_OF, Query.CALLEES_OF):
            document["unresolved_calls"] = links.unresolved_calls
        print_json(document)
        return 0
    print_output("".join(f"{_row(answer)}\n" for answer in found))
    if not found:
        is_file = query in _OF_FILES and known_files(options.name, files)
        similar = () if is_file else find_similar(options.name, files)
        print_message(f"{_nothing(query, options.name, bool(is_file))}{_suggest(similar, options.name)}\n")
    elif query in (Query.CALLERS_OF, Query.CALLEES_OF) and links.unresolved_calls:
        more = f"{links.unresolved_calls:,} calls in this repository could mean several definitions"
        print_message(f"{more}, and are not listed\n")
    return 0


def print_top(options: argparse.Namespace, repository: Repository, maps: SqliteMaps) -> int:
    if not 0 < options.tokens <= MOST_MAP_TOKENS:
        wrong = f"--tokens {options.tokens} is not a length"
        raise UsageError(wrong, f"Give a number from 1 to {MOST_MAP_TOKENS:,}.")
    files = maps.load(options.commit).files
    topic = Topic(" ".join(options.words), paths=tuple(options.file))
    stems = weigh_stems(topic)
    counts = search_words(repository, read_settings()).count(tuple(stems), options.commit)
    excerpt = render_excerpt(files, order_files(files, link(files), topic, counts), options.tokens, stems)
    if options.json:
        document = {"tokens": excerpt.tokens, "files": excerpt.files, "text": excerpt.text}
        print_json(document)
    elif excerpt.text:
        print_output(f"{excerpt.text}\n")
    else:
        print_message("no file has anything to do with these words\n" if files else "this repository has no files\n")
    return 0


def _row(found: Found) -> str:
    by_name = "" if found.is_certain else " (by its name alone)"
    name = f"{found.name}: " if found.name and not found.what.startswith(found.name) else ""
    return one_line(f"{found.path}:{found.line}: {name}{found.what}{by_name}")


def _nothing(query: Query, name: str, is_file: bool) -> str:
    match query:
        case Query.IMPORTERS_OF:
            return f"nothing imports {name}" if is_file else f"nothing imports {name}, and no file has this name"
        case Query.EXPORTS_OF:
            return f"{name} exports nothing" if is_file else f"there is no file {name} in the map"
        case Query.CALLERS_OF:
            return f"no call of {name} was found"
        case Query.CALLEES_OF:
            return f"{name} calls nothing of this repository"
        case Query.DEFINES:
            return f"nothing is called {name}"
    return f"nothing is called {name} or similar"


def _suggest(similar: tuple[Found, ...], name: str) -> str:
    others = [found.name for found in similar if found.name != name][:_SUGGESTED]
    return f"; similar names: {', '.join(dict.fromkeys(others))}" if others else ""
