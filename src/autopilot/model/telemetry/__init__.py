"""Traces, and where the user has them sent."""
