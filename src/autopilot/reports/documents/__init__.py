"""The documents of a phase, rendered from the record."""
