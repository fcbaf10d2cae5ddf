"""What can happen to a draft of a roadmap, and its present."""
