"""Debug sessions for the doors."""
