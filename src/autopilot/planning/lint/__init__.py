"""What is wrong with a plan, found by code."""
