"""The map of the code on the command line: its options, and what it answers."""
