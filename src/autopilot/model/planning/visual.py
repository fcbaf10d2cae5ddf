"""What is asked of the eye: sentences that say so in plain words, and commands that look at a screen for themselves.

Only plain words count ("looks right on a telephone", "matches the mockup", "animates smoothly"): what merely happens on
a page ("shows the total") can be asked of the program, and most sentences about pages are of that kind.
"""

from __future__ import annotations

import re

LONGEST = 600
_VISUAL = re.compile(
    r"\blooks?\s(?:and\sfeels?\s)?(?:right|good|great|nice|fine|ok|correct(?:ly)?|clean|polished|professional|modern|native|"
    r"natural|sharp|crisp|beautiful|consistent|balanced|identical|the\ssame|like|as\s(?:in|on|designed)|well)\b|"
    r"\bvisually\b|\b(?:by|to)\s(?:the\s)?(?:human\s|naked\s)?eye\b|\bpixel[- ]perfect\b|"
    r"\b(?:match(?:es)?|follows?|reflects?|mirrors?|according\sto|true\sto|as\sin|like)\s(?:(?:the|its|our|all|approved|"
    r"provided|final|supplied)\s){0,3}(?:mock-?ups?|figma|wireframes?|screenshots?|design\s(?:comps?|mock-?ups?|files?))\b|"
    r"\b(?:animat(?:es?|ions?)|transitions?|scroll(?:s|ing)?|fades?|slides?)\s(?:(?:is|are|feels?|runs?|plays?|look)\s)?"
    r"(?:smooth(?:ly)?|fluid(?:ly)?)\b|\bsmooth\s(?:animations?|transitions?|scrolling)\b|"
    r"\bwithout\s(?:any\s)?(?:visible\s|visual\s)(?:flicker(?:ing)?|jank|stutter(?:ing)?|glitch(?:es)?|artifacts?|jumps?)\b|"
    r"\b(?:is|are|stays?|remains?)\s(?:easily\s|clearly\s|comfortably\s)?(?:readable|legible)\s(?:on|at|in|from)\b",
    re.IGNORECASE,
)
# Tests that open a browser or a device, or compare what was drawn.
_LOOKS = re.compile(
    r"\b(?:playwright|cypress|puppeteer|selenium|webdriver\w{0,10}|wdio|testcafe|detox|maestro|appium|percy|chromatic|"
    r"backstop\w{0,4}|lighthouse|storybook|screenshots?|image-?snapshots?|visual(?:[-:_]\w{1,30})?)\b",
    re.IGNORECASE,
)


def is_visual(text: str) -> bool:
    """Whether it plainly asks how something looks."""
    return _VISUAL.search(" ".join(text[:LONGEST].split())) is not None


def looks_itself(command: str) -> bool:
    """Whether a command sees what is drawn, so that it can tell how something looks."""
    return _LOOKS.search(command[:LONGEST]) is not None
