"""How the gates of an issue are answered, as whole commands."""

from __future__ import annotations

from autopilot.model.human import GateKind
from autopilot.model.issue.issue import Route

WHOLE = "Any other answer sends everything back; each of your points becomes one finding, as you wrote it."


def answer_lines(
    gate: str, kind: GateKind, questions: tuple[str, ...] = (), proposed: Route | None = None
) -> list[str]:
    match kind:
        case GateKind.ROUTE:
            others = ", ".join(f"`{route}`" for route in Route if route not in (Route.FULL, proposed))
            return [
                f"proposed route: `autopilot answer {gate} {proposed or 'ok'}`",
                f"full route: `autopilot answer {gate} {Route.FULL}`; in its place may stand: {others}",
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
