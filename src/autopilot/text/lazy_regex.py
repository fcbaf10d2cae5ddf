"""A regular expression that is compiled when it is first used.

A command loads hundreds of modules and uses a fraction of their patterns; to compile all of them took a tenth of
the computing of a small run.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING


class LazyRegex:
    """Answers as the compiled pattern does. Of the functions of ``re``, none takes it in place of one."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> object:
        """Asked once for each name: the answer stays as an attribute. Two threads may compile it at once."""
        if name.startswith("__"):
            raise AttributeError(name)  # copying and comparing ask for what no pattern has
        found: object = getattr(self.compiled, name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    lazy_regex = re.compile
else:

    def lazy_regex(pattern: str, flags: int = 0) -> LazyRegex:
        return LazyRegex(pattern, flags)
