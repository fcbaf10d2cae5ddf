"""Which fields of the record name a stored text, so that `log verify` can ask for every one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import repeat
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from msgspec import Struct

_MARK: Final = "stored text"

StoredText = Annotated[str, _MARK]  # the digest of a blob; "" for none


def named_texts(value: object, hint: object = None) -> Iterator[str]:
    """The digests in a value of the record, however deep. ``hint``: its declared type, where it is no Struct."""
    if isinstance(value, Struct):
        hints = _hints(type(value))
        for name in value.__struct_fields__:
            yield from named_texts(getattr(value, name), hints[name])
    elif isinstance(value, str):
        if value and _MARK in getattr(hint, "__metadata__", ()):
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from named_texts(item, get_args(hint)[-1] if get_args(hint) else None)
    elif isinstance(value, list | tuple | frozenset):
        for item, declared in zip(value, _items(hint), strict=False):
            yield from named_texts(item, declared)


@cache
def _hints(struct: type[Struct]) -> dict[str, Any]:
    return get_type_hints(struct, include_extras=True)


def _items(hint: object) -> Iterator[object]:
    """What each item is declared to be: in its place of a pair, else all alike."""
    arguments = get_args(hint)
    is_fixed = get_origin(hint) is tuple and ... not in arguments
    return iter(arguments) if is_fixed else repeat(arguments[0] if arguments else None)
