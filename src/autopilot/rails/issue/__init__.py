"""Rails of issue mode."""
