"""Opening and closing a debug session."""
