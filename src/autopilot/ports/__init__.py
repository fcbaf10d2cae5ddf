"""Protocols for the outside world, each with its promise. Adapters keep them; fakes do too."""
