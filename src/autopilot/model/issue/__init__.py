"""The nouns of issue mode."""
