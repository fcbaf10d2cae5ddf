"""Tests that expect something else: the real ones, each with one expectation changed. Honest code turns them red."""
