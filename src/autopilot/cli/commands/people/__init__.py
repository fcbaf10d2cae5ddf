"""Commands that answer a run: one module per command."""
