"""Gates of issue mode."""
