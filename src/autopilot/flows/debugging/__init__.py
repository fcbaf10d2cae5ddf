"""What comes next in a debug session."""
