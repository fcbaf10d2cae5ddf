"""The steps of a phase, one module each."""
