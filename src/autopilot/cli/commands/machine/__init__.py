"""Commands about this machine and its programs, not about a run."""
