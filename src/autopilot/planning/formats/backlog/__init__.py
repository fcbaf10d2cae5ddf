"""Backlog.md: one file for each task, in ``backlog/`` or ``.backlog/``."""
