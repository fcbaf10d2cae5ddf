"""Findings in calls of Python code: exits, hooks, frames, processes that keep running, objects patched by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autopilot.inspection.second_look import finding
from autopilot.inspection.second_look.python_names import Aliases, Place, dotted
from autopilot.text.lazy_regex import lazy_regex

Found = tuple[str, str]  # the description, and what would satisfy

_HARD_EXITS = frozenset({"os._exit", "os.abort", "posix._exit"})
_EXITS = frozenset({"sys.exit", "exit", "quit", "SystemExit"})
_ENTRIES = lazy_regex(r"_?(?:cli_)?main(?:_\w+)?|\w+_main|cli|exit\w*|\w+_exit")
_FRAMES = frozenset(
    {
        "inspect.stack",
        "inspect.currentframe",
        "inspect.getouterframes",
        "sys._getframe",
        "sys._getframemodulename",
        "sys._current_frames",
        "traceback.extract_stack",
        "traceback.walk_stack",
    }
)
_FORKS = frozenset({"os.fork", "os.forkpty", "os.setsid"})
STEERING = frozenset({"sys.excepthook", "sys.settrace", "sys.setprofile", "sys.meta_path", "sys.path_hooks"})
SHARED = lazy_regex(
    r"(?:builtins|__builtins__|unittest|pytest|_pytest|json|math|time|datetime|operator|re|subprocess|importlib|os|"
    r"os\.path|decimal|random|threading)\.\w+(?:\.\w+)?"
)


def find_in_call(call: ast.Call, place: Place, known: Aliases) -> Iterator[Found]:
    name = dotted(call.func, known)
    if name in _HARD_EXITS:
        yield f"ends the process immediately with `{name}`", finding.EXITS
    if name in _EXITS and not place.guarded:
        yield from _exit(call, place)
    if name == "atexit.register":
        yield "registers code that runs when the process ends (`atexit`)", finding.EXITS
    hooked = {name, dotted(call.func.value, known) if isinstance(call.func, ast.Attribute) else ""} & STEERING
    if hooked:
        yield f"hooks into the interpreter (`{hooked.pop()}`)", finding.PATCHES
    if name in _FRAMES:
        yield f"inspects its caller (`{name}`)", finding.FRAMES
    if name in _FORKS or any(_detaches(keyword, known) for keyword in call.keywords):
        yield f"starts a process that may outlive it (`{name}`)", finding.LEAVES
    match call:
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str() as attribute), *_]):
            if SHARED.fullmatch(patched := f"{dotted(owner, known)}.{attribute}"):
                yield f"replaces `{patched}`", finding.PATCHES


def _exit(call: ast.Call, place: Place) -> Iterator[Found]:
    """A program's own entry may end with success; work that tests call may not: some tools take that for a pass."""
    if not place.function:
        yield "ends the process while it is being imported", finding.EXITS
        return
    succeeds = not call.args or (isinstance(call.args[0], ast.Constant) and call.args[0].value in (0, None))
    if succeeds and not _ENTRIES.fullmatch(place.function):
        yield f"ends the process with success inside `{place.function}`", finding.EXITS


def _detaches(keyword: ast.keyword, known: Aliases) -> bool:
    if keyword.arg == "start_new_session":
        return isinstance(keyword.value, ast.Constant) and keyword.value.value is True
    return keyword.arg == "preexec_fn" and dotted(keyword.value, known) == "os.setsid"
