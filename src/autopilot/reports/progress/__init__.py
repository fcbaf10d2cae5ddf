"""Progress of a run as plain lines."""
