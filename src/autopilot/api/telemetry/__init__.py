"""Traces exported while a run goes on, and after it."""
