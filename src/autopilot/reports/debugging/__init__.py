"""A debug session as text."""
