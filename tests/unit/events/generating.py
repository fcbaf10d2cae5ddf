"""Any event at all: a strategy for each kind, read off its fields so that a new field is generated without a word."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import msgspec.inspect as mi
from hypothesis import strategies as st

from autopilot.events.happened import Event


def events_of(kind: type[Event]) -> st.SearchStrategy[Event]:
    return values_of(mi.type_info(kind))


def values_of(kind: mi.Type) -> st.SearchStrategy[Any]:
    match kind:
        case mi.StructType(cls=cls, fields=fields):
            return st.builds(cls, **{field.name: values_of(field.type) for field in fields})
        case mi.VarTupleType(item_type=item):
            return st.lists(values_of(item), max_size=2).map(tuple)
        case mi.TupleType(item_types=items):
            return st.tuples(*map(values_of, items))
        case mi.UnionType(types=types):
            return st.one_of(*map(values_of, types))
        case mi.DictType(key_type=key, value_type=value):
            return st.dictionaries(values_of(key), values_of(value), max_size=2)
        case mi.LiteralType(values=values):
            return st.sampled_from(values)
        case mi.EnumType(cls=cls):
            return st.sampled_from(cls)
        case _:
            return PLAIN[type(kind)]


PLAIN: dict[type[mi.Type], st.SearchStrategy[Any]] = {
    mi.StrType: st.text(max_size=8),
    mi.IntType: st.integers(-(2**40), 2**40),
    mi.FloatType: st.floats(allow_nan=False, allow_infinity=False),
    mi.BoolType: st.booleans(),
    mi.NoneType: st.none(),
    mi.DateTimeType: st.datetimes(timezones=st.just(UTC)),
}
