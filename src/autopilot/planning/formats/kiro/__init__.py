"""Kiro: one folder for each feature, in ``.kiro/specs/``, with its requirements, its design and its tasks."""
