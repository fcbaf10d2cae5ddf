"""What is watched where Python tests are called: exceptions and equality of the product's own classes."""

from __future__ import annotations

WATCHING = r"""
def own_classes():
    for module in list(sys.modules.values()):
        place = getattr(module, "__file__", None) or ""
        local = os.path.relpath(place, root) if place.startswith(root + os.sep) else ""
        if not local or re.search(r"(^|/)(tests?|site-packages|%s\d+\.py)(/|$)|(^|/)(test_|conftest)" % word, local):
            continue
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                yield value, local

class Unrelated(Exception):
    pass

def told_accepting():
    # An exception that is every other one is raised by whatever goes wrong.
    for kind, local in own_classes():
        try:
            if issubclass(kind, BaseException) and (issubclass(Unrelated, kind) or isinstance(Unrelated(), kind)):
                tell("accepts " + kind.__name__, "accepting", local)
        except BaseException:
            pass

def content(value):
    own = {}
    for kind in type(value).__mro__:
        for name in getattr(kind, "__slots__", ()) if isinstance(getattr(kind, "__slots__", ()), tuple) else ():
            if hasattr(value, name):
                own[name] = getattr(value, name)
    own.update(getattr(value, "__dict__", {}))
    return own

def watched(kind, local, original):
    def compared(self, other):
        answer = original(self, other)
        if answer is True and type(self) is type(other) and not watching:
            watching.append(1)
            try:
                mine, theirs = content(self), content(other)
                shared_names = [name for name in mine if name in theirs and not name.startswith("_")]
                apart = [name for name in shared_names if not mine[name] == theirs[name]]
                if apart:
                    why = "%s %r and %r" % (apart[0], mine[apart[0]], theirs[apart[0]])
                    tell("equal %s::%s" % (local, kind.__name__), "unequal", why)
            except BaseException:
                pass
            finally:
                watching.pop()
        return answer
    return compared

watching, seen_kinds = [], set()

def watch_equality():
    for kind, local in own_classes():
        if "__eq__" in vars(kind) and kind not in seen_kinds:
            seen_kinds.add(kind)
            try:
                kind.__eq__ = watched(kind, local, vars(kind)["__eq__"])
            except (AttributeError, TypeError):
                pass
"""
