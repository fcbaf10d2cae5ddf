"""Versions and changelogs, edited in place."""
