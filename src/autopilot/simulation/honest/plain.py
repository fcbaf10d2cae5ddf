"""What ``typing`` has for types at run time, without its import: that takes a sixth of a call of the scripted agent."""

from __future__ import annotations

__all__ = ["Any", "Record"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import NamedTuple as Record
else:
    Any = object

    class Record:
        """Fields by the annotations of the class, given in their order or by name."""

        def __init__(self, *values: object, **named: object) -> None:
            self.__dict__.update(zip(self.__annotations__, values, strict=False), **named)

        def __iter__(self) -> object:
            return iter(self.__dict__.values())

        def __eq__(self, other: object) -> bool:
            return type(self) is type(other) and self.__dict__ == other.__dict__

        __hash__ = None
