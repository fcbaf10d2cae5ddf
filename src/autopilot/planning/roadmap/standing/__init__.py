"""How a phase stands, by all that is written about it."""
