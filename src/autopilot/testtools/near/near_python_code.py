"""What stands in a Python file while its functions return something near: code of Autopilot, not of the product."""

from __future__ import annotations

CALLS, VALUE = "_near_call", "_near_value"

CODE = r"""
def _near_text(text):
    import string
    low, high, digits = string.ascii_lowercase, string.ascii_uppercase, string.digits
    table = str.maketrans(low + high + digits, low[1:] + low[0] + high[1:] + high[0] + digits[1:] + digits[0])
    other = text.translate(table)
    return other if other != text else "x" * max(len(text), 1)

def _near_object(value, depth):
    import copy
    try:
        other = copy.copy(value)
        names = list(vars(other))
        for name in names:
            object.__setattr__(other, name, _near_value(getattr(value, name), depth + 1))
        return other if names else None
    except Exception:
        return None

def _near_value(value, depth=0):
    import datetime, enum, itertools, numbers, pathlib
    kind = type(value)
    if depth > 4:
        return None
    if isinstance(value, enum.Enum):
        return next((other for other in kind if other is not value), None)
    if isinstance(value, bool):
        return not value
    if isinstance(value, numbers.Number):
        return value + 1 if value == value and value + 1 != value else 0
    if isinstance(value, str):
        return _near_text(value)
    if isinstance(value, (bytes, bytearray)):
        return kind((byte + 1) % 256 for byte in value) or kind(b"x")
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(_near_value(one, depth + 1) for one in value))
    if isinstance(value, (list, tuple, set, frozenset)):
        return kind([_near_value(one, depth + 1) for one in value] or [1])
    if isinstance(value, dict):
        return {key: _near_value(one, depth + 1) for key, one in value.items()} or {"x": 1}
    if isinstance(value, datetime.date):
        return value + datetime.timedelta(days=1)
    if isinstance(value, datetime.timedelta):
        return value + datetime.timedelta(seconds=1)
    if isinstance(value, pathlib.PurePath):
        return value.with_name(_near_text(value.name)) if value.name else value / "x"
    if value is None:
        return 1
    if hasattr(value, "__next__"):
        return iter([_near_value(one, depth + 1) for one in itertools.islice(value, 10000)])
    return _near_object(value, depth) if hasattr(value, "__dict__") and not callable(value) else None

class _NearOutput:
    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        self.stream.write(_near_text(text) if text.strip() else text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self.stream, name)

def _near_call(function):
    import functools, inspect, sys
    depth = sys.__dict__.setdefault("_near_depth", [0])
    if inspect.iscoroutinefunction(function):
        async def called(*given, **named):
            try:
                return _near_value(await function(*given, **named))
            except Exception:
                return None
    elif inspect.isasyncgenfunction(function):
        async def called(*given, **named):
            async for value in function(*given, **named):
                yield _near_value(value)
    elif inspect.isgeneratorfunction(function):
        def called(*given, **named):
            if depth[0]:
                return (yield from function(*given, **named))
            items, count = None, 0
            while True:
                depth[0] += 1
                try:
                    items = function(*given, **named) if items is None else items
                    value = _near_value(next(items))
                except StopIteration:
                    break
                except BaseException:
                    return
                finally:
                    depth[0] -= 1
                count += 1
                yield value
            if not count:
                yield 1
    else:
        def called(*given, **named):
            output, depth[0] = sys.stdout, depth[0] + 1
            if depth[0] == 1:
                sys.stdout = _NearOutput(output)
            try:
                value = function(*given, **named)
                return _near_value(value) if depth[0] == 1 else value
            except BaseException:
                if depth[0] > 1:
                    raise
                return None
            finally:
                depth[0] -= 1
                if not depth[0]:
                    sys.stdout = output
    return functools.wraps(function)(called)

""".lstrip()
