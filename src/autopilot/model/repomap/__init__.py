"""The nouns of the repository map."""
