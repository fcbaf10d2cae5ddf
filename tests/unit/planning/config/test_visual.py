"""``project.visual_testing`` as it is read: what is missing or wrong is said. VIS"""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.model.visual.subject import Region, Scheme, Viewport
from autopilot.planning.config.config import parse_config

WRITTEN: dict[str, Any] = {
    "enabled": True,
    "framework": "playwright",
    "launch_command": "npm run dev",
    "launch_wait_ms": 5000,
    "base_url": "http://localhost:3000",
    "screenshot_dir": ".planning/screenshots",
    "routes": [{"path": "/", "name": "home", "wait_ms": 2000}, {"path": "/dashboard", "name": "dashboard"}],
    "viewport": {"width": 1280, "height": 720},
    "headless": True,
}


def read(**changes: Any) -> Any:
    table = {key: value for key, value in {**WRITTEN, **changes}.items() if value is not None}
    return parse_config(json.dumps({"project": {"visual_testing": table}}), "config.json")


def test_a_table_as_the_sources_write_it_is_read_without_a_complaint() -> None:
    config = read()
    assert config.complaints == ()
    assert [shot.key for shot in config.visual.shots()] == ["home-1280x720-light", "dashboard-1280x720-light"]
    assert config.visual.routes[0].wait_ms == 2000


def test_every_route_is_shot_at_every_viewport_and_scheme_and_a_terminal_once() -> None:
    sizes = [{"width": 1280, "height": 720}, {"width": 390, "height": 844}]
    ignored = [".clock", {"x": 1, "y": 2, "width": 3, "height": 4}]
    routes = [{"path": "/", "name": "home", "ignore": ignored}, {"command": "bin/tool", "name": "tool"}]
    subject = read(viewports=sizes, color_schemes=["light", "dark"], routes=routes).visual
    assert subject.viewports == (Viewport(1280, 720), Viewport(390, 844))
    assert subject.schemes == (Scheme.LIGHT, Scheme.DARK)
    assert len(subject.shots()) == 5
    assert (subject.routes[0].ignore, subject.routes[0].regions) == ((".clock",), (Region(1, 2, 3, 4),))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"launch_command": None}, "has no `launch_command`"),
        ({"base_url": None}, "has no `base_url`"),
        ({"routes": []}, "has no `routes`"),
        ({"base_url": "http://example.com:3000"}, "not http://localhost"),
        ({"base_url": "http://localhost:80"}, "not http://localhost"),
        ({"base_url": "http://localhost:port"}, "not http://localhost"),
    ],
)
def test_without_what_is_needed_nothing_is_looked_at_and_the_complaint_names_it(
    changes: dict[str, Any], complaint: str
) -> None:
    config = read(**changes)
    assert config.visual is None
    assert complaint in config.complaints[0].text


@pytest.mark.parametrize(
    "route",
    [
        "home",
        {"path": "/"},
        {"path": "/", "name": "../x"},
        {"path": "x", "name": "x"},
        {"name": "x"},
        {"path": "/", "command": "ls", "name": "x"},
        {"path": "/", "name": "x", "wait_ms": -1},
        {"path": "/", "name": "x", "ignore": [{"x": 1}]},
        {"path": "/", "name": "home"},
    ],
)
def test_a_route_that_cannot_be_used_is_left_out_and_named(route: Any) -> None:
    config = read(routes=[{"path": "/", "name": "home"}, route])
    assert [known.name for known in config.visual.routes] == ["home"]
    assert len(config.complaints) == 1


def test_a_misspelt_key_is_named() -> None:
    assert "did you mean" in read(viewportz=[], viewports=None).complaints[0].text


def test_what_is_no_viewport_or_scheme_is_said_and_the_default_is_used() -> None:
    config = read(viewports=[{"width": 1}], color_schemes=["sepia"])
    assert (config.visual.viewports, config.visual.schemes) == ((Viewport(),), (Scheme.LIGHT,))
    assert len(config.complaints) == 2
