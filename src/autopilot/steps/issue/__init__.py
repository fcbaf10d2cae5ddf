"""The steps of issue mode."""
