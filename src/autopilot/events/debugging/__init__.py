"""What can happen in a debug session, and its present."""
