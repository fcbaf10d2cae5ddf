"""A command on another day: Python, Node and `date` tell a time that is some years ahead."""

from __future__ import annotations

import base64

DAYS = 2200

_PYTHON = r"""
import datetime as _d, time as _t
_shift = DAYS * 86400
_real, _date, _datetime = _t.time, _d.date, _d.datetime
_local, _gm, _form = _t.localtime, _t.gmtime, _t.strftime
_t.time = lambda: _real() + _shift
_t.time_ns = lambda: int(_t.time() * 10 ** 9)
_t.localtime = lambda at=None: _local(_t.time() if at is None else at)
_t.gmtime = lambda at=None: _gm(_t.time() if at is None else at)
_t.strftime = lambda form, at=None: _form(form, _t.localtime() if at is None else at)

class _Kind(type):
    def __instancecheck__(cls, value):
        return isinstance(value, cls.__mro__[1])
    def __subclasscheck__(cls, kind):
        return issubclass(kind, cls.__mro__[1])

class date(_date, metaclass=_Kind):
    @classmethod
    def today(cls):
        return _date.fromtimestamp(_t.time())

class datetime(_datetime, metaclass=_Kind):
    @classmethod
    def now(cls, tz=None):
        return _datetime.now(tz) + _d.timedelta(days=DAYS)
    @classmethod
    def utcnow(cls):
        return _datetime.utcnow() + _d.timedelta(days=DAYS)
    @classmethod
    def today(cls):
        return cls.now()

_d.date, _d.datetime = date, datetime
"""

_NODE = r"""
const Real = Date, shift = DAYS * 86400000;
globalThis.Date = class Date extends Real {
  constructor(...given) { if (given.length) super(...given); else super(Real.now() + shift); }
  static now() { return Real.now() + shift; }
};
"""

_DATE = """#!/bin/sh
case " $* " in *" -d "*|*" --date"*|*" -r "*|*" -u -d "*) exec /usr/bin/date "$@" ;; esac
exec /usr/bin/date -d "+DAYS days" "$@"
"""


def spell_on_another_day(command: str) -> str:
    """The files lie beside the project, in a folder that goes with the command."""
    texts = {"sitecustomize.py": _PYTHON, "clock.cjs": _NODE, "date": _DATE}
    writes = [f"base64 -d <<< {_encode(text)} > $day/{name}" for name, text in texts.items()]
    return "\n".join(
        (
            "day=$(mktemp -d)",
            *writes,
            "chmod +x $day/date",
            'export PATH="$day:$PATH" PYTHONPATH="$day${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1',
            'export NODE_OPTIONS="--require $day/clock.cjs ${NODE_OPTIONS:-}"',
            command,
        )
    )


def _encode(text: str) -> str:
    return base64.b64encode(text.replace("DAYS", str(DAYS)).encode()).decode()
