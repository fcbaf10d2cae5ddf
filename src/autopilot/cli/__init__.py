"""The command line: parses arguments, prints output and returns an exit status."""
