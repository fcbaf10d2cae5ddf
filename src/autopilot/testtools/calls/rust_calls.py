"""Rust functions whose calls are written down while their tests run: the product's files, each with the recorder."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from autopilot.testtools.calls.go_calls import MOST_FOLDERS, MOST_WORDS, RecordedFunctions
from autopilot.testtools.calls.rust_recorder import RECORDER
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.mutants.early_return import Function, changed_functions
from autopilot.testtools.mutants.edit import Constant, Edit, splice
from autopilot.testtools.mutants.mutant import Contents
from autopilot.testtools.mutants.rust import read_functions
from autopilot.testtools.near.effects import has_effects
from autopilot.testtools.outside.prepared import hide_script
from autopilot.text.grammar import Grammar
from autopilot.text.script_tree import ScriptTree, flat_tree

_NUMBER = r"(?:[iu](?:8|16|32|64|size)|f32|f64|bool|char)"
# By type: how a value is kept, and how it is given again.
_ASKABLE = (
    (re.compile(rf"{_NUMBER}"), "{}", "{}"),
    (re.compile(rf"&{_NUMBER}"), "*{}", "&{}"),
    (re.compile(r"&(?:'\w+ )?str|&String"), "{}.to_string()", "&{}"),
    (re.compile(rf"String|Vec<(?:{_NUMBER}|String)>"), "{}.clone()", "{}.clone()"),
    (re.compile(rf"&(?:\[(?:{_NUMBER}|String)\]|Vec<(?:{_NUMBER}|String)>)"), "{}.to_vec()", "&{}"),
    (
        re.compile(r"&(?:\[&str\]|Vec<&str>)"),
        "{}.iter().map(|text| text.to_string()).collect::<Vec<_>>()",
        "&{}.iter().map(|text| text.as_str()).collect::<Vec<_>>()",
    ),
)
_ANSWERS = re.compile(
    rf"(?:{_NUMBER}|String|str|Option|Vec|Result|(?:std::collections::)?(?:HashMap|BTreeMap)|'\w++|[\s&<>(),])+"
)
_ERROR = re.compile(r"(?<=,)\s*+[\w:<>&' ]+(?=>\s*\Z)")
_NEVER = re.compile(r"\b(?:const|async|extern|unsafe)\b")


def record_rust(
    changed: Mapping[str, Contents], exists: Callable[[str], bool], own: Sequence[str], draw: Draw
) -> RecordedFunctions | None:
    """``changed``: files of the product, before and after. None where no call can be made again."""
    edits: dict[str, bytes | None] = {}
    paths: dict[str, str] = {}
    folders: dict[str, None] = {}
    word, recorder = _spell_recorder(own, draw)
    for path, (old, new) in changed.items():
        folder = _package_of(path, exists)
        rewritten = _rewrite(old, new, word) if folder is not None else None
        if folder is None or rewritten is None:
            continue
        text, names = rewritten
        edits[path] = text + recorder
        folders[folder] = None
        paths |= dict.fromkeys(names, path)
    if not paths:
        return None
    run = "(cd {} && timeout -k 5 120 cargo test --offline --quiet --lib --bins --tests </dev/null >&3)"
    script = "\n".join(run.format(shlex.quote(f"./{folder}")) for folder in list(folders)[:MOST_FOLDERS])
    return RecordedFunctions(hide_script(script), edits, paths)


def _package_of(path: str, exists: Callable[[str], bool]) -> str | None:
    folders = map(str, PurePosixPath(path).parents)
    return next((folder for folder in folders if exists(str(PurePosixPath(folder, "Cargo.toml")))), None)


def _spell_recorder(own: Sequence[str], draw: Draw) -> tuple[str, bytes]:
    word, text = draw.word() + draw.word(), RECORDER
    for name, value in {"NUMBER": str(draw.below(90) + 5), "DRAWN": draw.word(), "word": word}.items():
        text = text.replace(name if name != "word" else "askingword", value if name != "word" else f"asking{word}")
    listed = [json.dumps(other) for other in own[:MOST_WORDS] if other.isascii() and other.isprintable()]
    return word, text.replace("LISTED", ", ".join(listed)).encode()


def _rewrite(old: bytes | None, new: bytes, word: str) -> tuple[bytes, list[str]] | None:
    tree = flat_tree(new, Grammar.RUST)
    if tree is None or tree.wrong:
        return None
    changed = changed_functions(old, new, tree, Grammar.RUST, read_functions)
    made = {function.name: edit for function in changed if (edit := _record(tree, new, function, word))}
    return (splice(new, list(made.values()), Constant.NOTHING), list(made)) if made else None


def _record(tree: ScriptTree, text: bytes, function: Function, word: str) -> Edit | None:
    """The work of a function is done by one inside it, which is asked for the neighbours of its call too."""
    index = next((i for i in tree.children(0) if tree.parts[i].start == function.start), None)
    if index is None or tree.parts[index].kind != "function_item" or tree.child(index, "type_parameters") is not None:
        return None
    places = [tree.child(index, field) for field in ("name", "parameters", "return_type", "body")]
    if None in places:
        return None
    name, parameters, result, body = (
        text[tree.parts[place].start : tree.parts[place].end].decode(errors="replace")
        for place in places
        if place is not None
    )
    source = text[function.start : function.end].decode(errors="replace")
    answer = _ERROR.sub(" ()", result) if result.startswith("Result<") else result
    given = _given(parameters)
    head = source[: source.index("fn ")] if "fn " in source else source
    if not given or not _ANSWERS.fullmatch(answer) or _NEVER.search(head) or has_effects(source, panics=False):
        return None
    block = tree.parts[places[3]] if places[3] is not None else tree.parts[index]
    made = _spell(name, parameters, result, body, given, word).encode()
    return Edit(block.start, block.end, made, made)


def _given(parameters: str) -> list[tuple[str, str, str]]:
    """Of each parameter its name, how it is kept, and how it is given; none where one of them cannot be."""
    found: list[tuple[str, str, str]] = []
    inside = parameters.strip()[1:-1].strip().rstrip(",")
    for parameter in re.split(r",(?![^<(\[]{0,80}[>)\]])", inside) if inside else ():
        name, _, type = (part.strip() for part in parameter.partition(":"))
        forms = next(((kept, passed) for known, kept, passed in _ASKABLE if known.fullmatch(type)), None)
        plain = name.removeprefix("mut ").strip()
        if forms is None or not plain.isidentifier() or plain == "_":
            return []
        found.append((plain, *forms))
    return found


def _spell(name: str, parameters: str, result: str, body: str, given: Sequence[tuple[str, str, str]], word: str) -> str:
    kept = "".join(f"{how.format(own)}, " for own, how, _ in given)
    passed = ", ".join(how.format(f"given.{place}") for place, (_, _, how) in enumerate(given))
    spelled = ", ".join(f"given.{place}.spelled().unwrap_or_default()" for place in range(len(given)))
    near = " ".join(
        f"for other in given.{place}.others() {{ let mut with = given.clone(); with.{place} = other; "
        "calls.push((true, with)); }"
        for place in range(len(given))
    )
    own = ", ".join(name for name, _, _ in given)
    return (
        f"{{ #[allow(warnings)] fn asked{word}{parameters} -> {result} {body} "
        f"{{ #[allow(unused_imports)] use self::asking{word}::{{Others, Spelled}}; "
        f"let given = ({kept}); let mut calls = vec![(false, given.clone())]; {near} "
        f'self::asking{word}::follow("{name}", calls, |given| format!("[{{}}]", vec![{spelled}].join(",")), '
        f"|given| asked{word}({passed}).spelled()); }} asked{word}({own}) }}"
    )
