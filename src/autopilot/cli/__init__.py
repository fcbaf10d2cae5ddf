"""The door for a terminal: arguments in, output and exit status out."""
