"""Files and answers of issue mode."""
