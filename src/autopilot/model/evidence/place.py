"""``file:line``: the only form in which a reviewer's word can be looked up."""

from __future__ import annotations

import re

# A name with a letter in it, a colon, a line: no time of day, no `EXIT:0`, no address of a server.
FILE_LINE = re.compile(
    r"(?<![\w./\-])(?!(?i:exit|line|lines|col|port|localhost|status|code|rc):)(?!//)[\d./\-]*[^\W\d][\w./\-]*:\d+"
)


def names_place(evidence: str) -> bool:
    return FILE_LINE.search(evidence) is not None
