"""Traces on their way to a collector."""
