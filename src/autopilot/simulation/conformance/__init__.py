"""The conformance test: runs an agent against a scripted model and checks everything that a run requires of it."""
