"""Deciding the next command in issue mode."""
