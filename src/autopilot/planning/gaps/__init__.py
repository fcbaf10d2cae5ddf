"""What keeps a completed phase from a better score, read from its reports."""
