"""The options of `autopilot visual`."""

from __future__ import annotations

from typing import Any


def add_visual(commands: Any) -> None:
    visual = commands.add_parser(
        "visual",
        help="look at the app in a browser: compare screenshots with a baseline, find errors, accept a new look",
        description="Starts the app as project.visual_testing in .planning/config.json says, in the sandbox, and "
        "opens every route in Chromium there. Each is shot twice at every viewport and colour scheme, with the clock, "
        "animations and chance frozen and nothing but the app within reach. Besides pictures it finds console errors, "
        "failed requests, missing images, sideways scrolling, broken links and violations of WCAG (axe-core). "
        "Needs `pip install 'autopilot-roadmap[visual]'` and Chromium; `autopilot doctor` says what is missing.",
        epilog="Examples: autopilot visual check; autopilot visual accept home; autopilot visual check 3",
    )
    actions = visual.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="look at a commit and compare it with the baseline",
        description="Looks at HEAD, at --commit, or at what was judged last of a phase. Exit 0 when there is nothing "
        "that the baseline does not have, 1 when there is, 5 when a route could not be compared: its two pictures "
        "differ (unsteady), or its baseline is gone. The pictures are put into .autopilot/visual/.",
        epilog="Examples: autopilot visual check; autopilot visual check --commit HEAD~3; autopilot visual check 3",
    )
    check.add_argument("phase", nargs="?", default="", metavar="PHASE", help="phase whose work is to be looked at")
    check.add_argument("--commit", default="", metavar="COMMIT", help="look at this commit instead of HEAD")
    accept = actions.add_parser(
        "accept",
        help="make what the last check saw the baseline",
        description="Pins the pictures and facts of the last check by digest in .planning/visual-baseline.json, for "
        "you to commit. The pictures themselves stay out of the repository. What is wrong with a page that you accept "
        "is known from then on, and no longer reported as new.",
        epilog="Examples: autopilot visual accept; autopilot visual accept home dashboard-390x844-dark",
    )
    accept.add_argument("routes", nargs="*", metavar="ROUTE", help="name of a route or shot (default: all)")
    listed = actions.add_parser("list", help="list every shot, its baseline, and what the last check said of it")
    show = actions.add_parser("show", help="show what the last check saw of a route, with the paths of its pictures")
    show.add_argument("route", metavar="ROUTE", help="name of a route or shot")
    for action in (check, accept, listed, show):
        action.add_argument("--json", action="store_true", help="print the result as JSON")
