"""A record carried from one machine to another."""
