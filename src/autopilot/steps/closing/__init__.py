"""Steps after the last phase: audit and version bump."""
