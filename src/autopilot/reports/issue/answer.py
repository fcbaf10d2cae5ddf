"""How the gates of an issue are answered, as whole commands."""

from __future__ import annotations

from autopilot.model.human import GateKind
from autopilot.model.issue.issue import Route

WHOLE = "Anything but an approval sends the whole back; each of your points becomes one finding, in your words."


def answer_lines(gate: str, kind: GateKind, questions: tuple[str, ...] = ()) -> list[str]:
    match kind:
        case GateKind.ROUTE:
            ways = ", ".join(f"`{route}`" for route in Route if route is not Route.FULL)
            return [
                f"full route: `autopilot answer {gate} ok`",
                f"another way ({ways}): `autopilot answer {gate} {Route.BUGFIX}`",
            ]
        case GateKind.REQUIREMENTS:
            asked = " ".join(f'{id}="…"' for id in questions)
            answer = [f"answer the questions (no approval yet): `autopilot answer {gate} {asked}`"] if questions else []
            return [f"approve: `autopilot approve {gate}`", *answer, f'send back: `autopilot reject {gate} "…"`', WHOLE]
        case GateKind.CAUSE:
            return [
                f"agree: `autopilot approve {gate}`",
                f"agree, under another class: `autopilot answer {gate} cause=…`",
                f'send back: `autopilot reject {gate} "…"`',
                WHOLE,
            ]
        case _:
            return [
                f"approve: `autopilot approve {gate}`",
                f'send back by document: `autopilot reject {gate} --stories "…" --plan "…" --tests "…"`',
                f'send back in your own words: `autopilot reject {gate} "…"`',
                WHOLE,
            ]
