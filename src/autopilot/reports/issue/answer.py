"""How the gates of an issue are answered, as whole commands."""

from __future__ import annotations

from autopilot.model.human import GateKind
from autopilot.model.issue.issue import Route

WHOLE = "Any other answer sends everything back; each of your points becomes one finding, as you wrote it."


def answer_lines(gate: str, kind: GateKind, questions: tuple[str, ...] = ()) -> list[str]:
    match kind:
        case GateKind.ROUTE:
            ways = ", ".join(f"`{route}`" for route in Route if route is not Route.FULL)
            return [
                f"full route: `autopilot answer {gate} ok`",
                f"another route ({ways}): `autopilot answer {gate} {Route.BUGFIX}`",
            ]
        case GateKind.REQUIREMENTS:
            asked = " ".join(f'{id}="…"' for id in questions)
            answer = [f"answer the questions (no approval yet): `autopilot answer {gate} {asked}`"] if questions else []
            return [f"approve: `autopilot approve {gate}`", *answer, f'send back: `autopilot reject {gate} "…"`', WHOLE]
        case GateKind.CAUSE:
            return [
                f"agree: `autopilot approve {gate}`",
                f"agree, with another class: `autopilot answer {gate} cause=…`",
                f'send back: `autopilot reject {gate} "…"`',
                WHOLE,
            ]
        case _:
            return [
                f"approve: `autopilot approve {gate}`",
                f'send back by document: `autopilot reject {gate} --stories "…" --plan "…" --tests "…"`',
                f'send back with a comment: `autopilot reject {gate} "…"`',
                WHOLE,
            ]
