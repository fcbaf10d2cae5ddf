"""Test commands as shell text: what a command leads to, and how it is rewritten."""
