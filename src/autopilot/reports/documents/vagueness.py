"""Is a piece of advice too vague to act on? "Improve code quality" cannot be acted on (CENF-05)."""

from __future__ import annotations

import re

from autopilot.reports.places import FILE, PLACE

# Words that carry no deficiency by themselves, however many of them stand together.
_VERBS = """
    improve improved improving enhance add adding write make do fix polish refine refactor clean tidy extend increase
    raise strengthen use handle handled update review revisit rework address ensure
"""
_QUALITIES = """
    better more good nice clean cleaner clear clearer robust readable maintainable consistent proper properly
    appropriate complete thorough overall general generally some several minor major further additional various
    stuff things enough sufficient insufficient elegant best bad poor weak wrong incomplete unclear high higher low
    lower quality well
"""
_SUBJECTS = """
    code codebase test tests testing coverage documentation docs comment comments style structure readability logic
    maintainability performance error errors handling practice practices implementation design architecture naming
    logging validation robustness security edge case cases work project file files area areas part parts consideration
    improvement improvements concern concerns issue issues problem problems refactoring cleanup reason given scored
    user experience ux ui interface functionality feature features app application module modules system software
    solution approach criterion criteria requirement requirements
"""
_LINKS = """
    a an the and or of in on for to with by from at as is are be been was were it its this that these there here could
    should would can may might must need needs needed lack lacks lacking missing not no none nothing very quite rather
    bit little lot much also still please consider your our their n ok fine looks look seems seem so if than then all
    found
"""
EMPTY = frozenset(f"{_VERBS} {_QUALITIES} {_SUBJECTS} {_LINKS}".split())
_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
# A name out of the code, quoted words, or a line: something one can go to.
_CONCRETE = re.compile(r"`[^`]+`|\"[^\"]{3,}\"|\b\w+\(\)|\b[a-z]+_\w+|\b[a-z]+[A-Z]\w+|\blines?\s+\d+", re.ASCII)


def is_vague(text: str) -> bool:
    """A path alone makes nothing concrete: what is wrong there is still not said."""
    plain = FILE.sub(" ", PLACE.sub(" ", text))
    if _CONCRETE.search(plain):
        return False
    tokens = {word.casefold().removesuffix("'s") for word in _WORD.findall(plain)}
    return tokens <= EMPTY
