"""The frozen spec and its requirements."""
