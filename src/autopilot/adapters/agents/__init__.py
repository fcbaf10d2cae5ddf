"""Coding agents: one module per program behind the Agent port."""
