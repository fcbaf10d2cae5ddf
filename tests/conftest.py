"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# No deadline: how long an example takes says nothing about whether it is right. The blob replays a failure exactly.
settings.register_profile("autopilot", deadline=None, print_blob=True)
settings.load_profile("autopilot")
