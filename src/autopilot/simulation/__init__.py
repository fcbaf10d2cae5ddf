"""Agents and a model server that play scripts, and the conformance kit that tries real agents on them."""
