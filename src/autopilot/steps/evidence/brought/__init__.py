"""Tests that came with the work: what they ask of it, and what the user's tests are without them."""
