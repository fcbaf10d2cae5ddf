"""Which files matter to a task: by words of their texts, paths and names, and by what lies near those."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from autopilot.model.repomap.code_map import Links
from autopilot.model.repomap.facts import FileFacts
from autopilot.repomap.page_rank import Edge, page_rank
from autopilot.repomap.words import identifiers, split_name, stems_of, telling_stems

MOST_STEMS = 40  # of a topic; the first ones say what it is about
IN_TITLE = 2.0  # how much more a word of the title says
# How much each sign counts beside the words of the text.
BY_PATH = 0.6
BY_NAME = 0.4
BY_IDENTIFIER = 0.6
BY_NEARNESS = 0.6
NAMED = 3.0  # a file that the topic names
SATURATION = 1.2  # from how often on one word more says little (BM25)
BY_LENGTH = 0.4  # how much a long text is held against it (BM25)
NEARBY = 0.6  # of the walk along references, before it begins again at what the words found
FEWEST_LINES = 20

Counts = Mapping[str, Mapping[str, int]]  # by path: how often each stem stands in its text


class Topic(Struct, frozen=True):
    """What a phase or a task is about."""

    title: str = ""
    text: str = ""
    paths: tuple[str, ...] = ()  # files that it names; they need not exist


def weigh_stems(topic: Topic) -> dict[str, float]:
    """The words of a topic and how much each of them says: more in the title, and hardly more when it is repeated."""
    title, text = telling_stems(topic.title), telling_stems(" ".join((topic.text, *topic.paths)))
    weights = {
        word: IN_TITLE * (word in title) + min(1.0 + 0.25 * (text[word] - 1), 2.0) * (word in text)
        for word in (*title, *text)
    }
    return dict(sorted(weights.items(), key=lambda item: -item[1])[:MOST_STEMS])


def order_files(files: Mapping[str, FileFacts], links: Links, topic: Topic, counts: Counts) -> tuple[str, ...]:
    """The files that matter to the topic, most first; those that nothing speaks for are left out.

    Without a topic all of them, by how much of the code rests on them.
    """
    is_asked = bool(topic.paths or weigh_stems(topic))
    scores = score_files(files, links, topic, counts) if is_asked else rank_files(files, links)
    return tuple(sorted((path for path in files if scores[path] > 0), key=lambda path: (-scores[path], path)))


def score_files(files: Mapping[str, FileFacts], links: Links, topic: Topic, counts: Counts) -> dict[str, float]:
    """Every file with how much it matters to the topic: 0 where nothing speaks for it."""
    weights = weigh_stems(topic)
    signs = (
        (1.0, _by_text(files, counts, weights)),
        (BY_PATH, _by_path(files, weights)),
        (BY_NAME, _by_name(files, weights)),
        (BY_IDENTIFIER, _by_identifier(files, f"{topic.title}\n{topic.text}")),
        (NAMED, _by_mention(files, topic)),
    )
    found = {path: sum(weight * sign.get(path, 0.0) for weight, sign in signs) for path in files}
    if not any(found.values()):
        return found
    near = page_rank(files, _edges(files, links), {path: value**2 for path, value in found.items()}, NEARBY)
    near = _scaled(near)
    top = max(found.values())
    return {path: value / top + BY_NEARNESS * near[path] for path, value in found.items()}


def rank_files(files: Mapping[str, FileFacts], links: Links) -> dict[str, float]:
    """How much the rest of the code rests on each file."""
    return page_rank(files, _references(links))


def _by_text(files: Mapping[str, FileFacts], counts: Counts, weights: Mapping[str, float]) -> dict[str, float]:
    """BM25: a rare word says more than a common one, and a short text that has it more than a long one."""
    found = {path: count for path, count in counts.items() if path in files}
    holding = Counter(word for count in found.values() for word in count)
    rarity = {word: _rarity(len(files), holding[word]) for word in weights}
    lengths = [max(files[path].lines, FEWEST_LINES) for path in found]
    usual = sum(lengths) / len(lengths) if lengths else 1.0
    return _scaled(
        {
            path: sum(
                weights[word] * rarity[word] * often / (often + SATURATION * (1 + BY_LENGTH * (length / usual - 1)))
                for word, often in count.items()
                if word in weights
            )
            for (path, count), length in zip(found.items(), lengths, strict=True)
        }
    )


def _by_path(files: Iterable[str], weights: Mapping[str, float]) -> dict[str, float]:
    """Words of its path; those of its own name say more than those of its folders."""
    parts = {path: _stems_of_path(path) for path in files}
    holding = Counter(word for _, every in parts.values() for word in every)
    rarity = {word: _rarity(len(parts), holding[word]) for word in weights if word in holding}
    return _scaled(
        {
            path: sum(weights[word] * rarity[word] * (1.0 if word in own else 0.4) for word in every if word in rarity)
            for path, (own, every) in parts.items()
        }
    )


def _stems_of_path(path: str) -> tuple[frozenset[str], frozenset[str]]:
    """Of its own name, and of all of it."""
    *folders, name = path.split("/")
    own = stems_of(name.partition(".")[0] or name)
    return own, own.union(stems_of(name), *map(stems_of, folders))


def _by_name(files: Mapping[str, FileFacts], weights: Mapping[str, float]) -> dict[str, float]:
    """Words of the names that it defines."""
    telling = cache(lambda name: stems_of(name) & weights.keys())  # nothing, for nearly every name
    defined = {path: Counter(w for name in _names(facts) for w in telling(name)) for path, facts in files.items()}
    holding = Counter(word for words in defined.values() for word in words)
    return _scaled(
        {
            path: sum(
                weights[word] * _rarity(len(files), holding[word]) * often / (often + SATURATION)
                for word, often in words.items()
            )
            for path, words in defined.items()
            if words
        }
    )


def _by_identifier(files: Mapping[str, FileFacts], text: str) -> dict[str, float]:
    """Names spelled out in the text that a file defines, the rarer the better."""
    spelled = {name for name in identifiers(text) if _is_distinct(name)}
    where = defaultdict(set)
    for path, facts in files.items():
        for name in spelled.intersection(_names(facts)):
            where[name].add(path)
    found: defaultdict[str, float] = defaultdict(float)
    for paths in where.values():
        for path in paths:
            found[path] += _rarity(len(files), len(paths))
    return _scaled(found)


def _is_distinct(name: str) -> bool:
    """A name, not a word: `get_value`, `HttpClient`, `SaveFile`, but not `Get`."""
    return len(split_name(name)) > 1


def _by_mention(files: Iterable[str], topic: Topic) -> dict[str, float]:
    """Files named by their path, or by a name with its extension."""
    words = (word.strip("./+-") for word in re.findall(r"[\w./+-]+", f"{topic.title}\n{topic.text}"))
    spelled = {word for word in words if "." in word}
    paths = {path.strip("./") for path in topic.paths} | spelled
    names = {path for path in paths if "/" not in path}
    return {path: 1.0 for path in files if path in paths or path.rpartition("/")[2] in names}


def _names(facts: FileFacts) -> Iterator[str]:
    yield from (export.name for export in facts.exports)
    yield from (function.name for function in facts.functions)
    yield from (defined.name for defined in facts.classes)


def _edges(files: Iterable[str], links: Links) -> Iterator[Edge]:
    """References, which are followed both ways here: who changes a function looks at its callers too."""
    for source, target, weight in _references(links):
        yield source, target, weight
        yield target, source, weight
    for left, right in _pairs(files):
        yield left, right, 3.0
        yield right, left, 3.0


def _references(links: Links) -> Iterator[Edge]:
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for imported in links.imports:
        for target in imported.targets:
            weights[imported.path, target] += 1.0
    for call in links.calls:
        weights[call.path, call.target] += 1.0 if call.is_certain else 0.3
    return ((source, target, math.sqrt(weight)) for (source, target), weight in weights.items())


def _pairs(files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """A file and its tests, by their names: `core.py` and `test_core.py`, `path.go` and `path_test.go`."""
    tests: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for path in files:
        name = path.rpartition("/")[2].partition(".")[0]
        bare = re.sub(r"^tests?[_-]|[_-](?:tests?|spec)$", "", name)
        is_test = bare != name or re.search(r"\.(?:test|spec)\.", path) is not None or "/__tests__/" in f"/{path}"
        (tests if is_test else others)[bare.strip("_").lower()].append(path)
    for name, paths in tests.items():
        if len(paths) * len(others.get(name, ())) <= 16:
            yield from ((test, other) for test in paths for other in others.get(name, ()))


def _rarity(total: int, holding: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _scaled(values: Mapping[str, float]) -> dict[str, float]:
    """Against the largest of them, which is 1."""
    top = max(values.values(), default=0.0)
    return {path: value / top for path, value in values.items()} if top > 0 else dict.fromkeys(values, 0.0)
