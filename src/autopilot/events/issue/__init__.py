"""Events of issue mode, their state and their fold."""
