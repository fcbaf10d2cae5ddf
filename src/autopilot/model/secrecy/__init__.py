"""Secrets, redaction and terminal control sequences."""
