"""Commands that hand on what is recorded."""
