"""Asking an agent: its workspace, its prompt, its budget, its reply."""
