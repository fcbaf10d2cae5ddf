"""The nouns of a debug session."""
