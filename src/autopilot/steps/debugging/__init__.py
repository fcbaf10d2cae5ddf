"""The steps of a debug session."""
