"""Checks of protocol and data files: JSON, schemas, references to paths."""
