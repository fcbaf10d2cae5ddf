"""Reports of issue mode."""
