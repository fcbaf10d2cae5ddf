"""Which new source files nothing refers to."""
