"""Tests run without their tool, with and without the signs of one: what differs then depends on being tested."""
