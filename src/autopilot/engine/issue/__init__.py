"""Opening and resuming the run of an issue."""
