"""The nouns of planning: roadmap, plan, criterion, estimate."""
