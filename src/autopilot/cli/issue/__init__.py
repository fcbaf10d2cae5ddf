"""The command line of issue mode."""
