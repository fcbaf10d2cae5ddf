"""``autopilot repomap``: the map built, shown and exported; questions to it are answered in ``cli/repomap``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from autopilot.adapters.repomap.maps import SqliteMaps, silent
from autopilot.api.assembly import Repository, find_repository
from autopilot.api.repomap import EXPORTED, export_map, open_maps, write_map
from autopilot.cli.output import print_json, print_message, print_output
from autopilot.cli.repomap.answers import print_answer, print_top
from autopilot.model.errors import UsageError
from autopilot.model.repomap.code_map import RepoMap
from autopilot.repomap.document import MOST_LINES, describe_cut
from autopilot.settings.reading import read_settings

_SHOWN = 20  # files with a problem
_EVERY = 200  # texts between two lines of progress


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    jobs = getattr(options, "jobs", 0)
    if jobs < 0:
        raise UsageError(f"--jobs {jobs} is not a number of processes", "Give a number from 1 on.")
    quiet = getattr(options, "quiet", False) or not sys.stderr.isatty()
    maps = open_maps(repository, settings, jobs, silent if quiet else _show_progress)
    try:
        return _ACTIONS[options.action](options, repository, maps)
    finally:
        maps.close()


def _build(options: argparse.Namespace, _: Repository, maps: SqliteMaps) -> int:
    done = maps.refresh(options.commit)
    if options.json:
        counts = {"files": done.files, "parsed": done.parsed, "changed": done.changed, "removed": done.removed}
        print_json({**counts, "partial": done.partial})
        return 0
    partial = f"; {done.partial} of them only in part (`autopilot repomap status`)" if done.partial else ""
    print_output(f"mapped {done.files} files, {done.parsed} parsed anew{partial}\n")
    return 0


def _status(options: argparse.Namespace, _: Repository, maps: SqliteMaps) -> int:
    loaded = maps.load(options.commit)
    if options.json:
        print_json(_counted(loaded))
        return 0
    print_output("".join(f"{line}\n" for line in _described(loaded)))
    return 0


def _export(options: argparse.Namespace, repository: Repository, maps: SqliteMaps) -> int:
    text = export_map(repository, maps, options.commit, 0 if options.full else MOST_LINES)
    if options.print:
        print_output(text)
        return 0
    write_map(repository, text)
    lines = text.count("\n")
    print_output(f"wrote {EXPORTED} ({lines} lines)\n")
    if cut := describe_cut(text):
        print_output(f"left out, because the map is longer than {MOST_LINES} lines: {cut}; `--full` writes all of it\n")
    return 0


_ACTIONS = {"build": _build, "status": _status, "export": _export, "query": print_answer, "top": print_top}


def _counted(loaded: RepoMap) -> dict[str, object]:
    files = loaded.files.values()
    return {
        "files": len(files),
        "languages": dict(Counter(facts.language for facts in files).most_common()),
        "functions": sum(len(facts.functions) for facts in files),
        "classes": sum(len(facts.classes) for facts in files),
        "imports": sum(len(facts.imports) for facts in files),
        "partial": {
            path: [problem.value for problem in facts.problems]
            for path, facts in loaded.files.items()
            if facts.problems
        },
    }


def _described(loaded: RepoMap) -> list[str]:
    files = loaded.files
    languages = Counter(facts.language for facts in files.values()).most_common()
    counts = _counted(loaded)
    partial = [(path, facts.problems) for path, facts in files.items() if facts.problems]
    return [
        f"{len(files)} files: " + ", ".join(f"{count} {language}" for language, count in languages),
        f"{counts['functions']} functions, {counts['classes']} classes, {counts['imports']} imports",
        *(f"partial: {path} ({', '.join(p.value for p in problems)})" for path, problems in partial[:_SHOWN]),
        *([f"partial: {len(partial) - _SHOWN} more; `--json` lists all"] if len(partial) > _SHOWN else []),
    ]


def _show_progress(done: int, total: int) -> None:
    if done // _EVERY != (done - 32) // _EVERY or done == total:
        print_message(f"parsed {done} of {total} files\n")
