"""The scripted model server: speaks the vendors' wires on loopback and says what a script tells it."""
