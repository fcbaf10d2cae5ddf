"""Debug sessions at the command line."""
