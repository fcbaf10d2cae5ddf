"""Questions to the user and the answers: files, wording checks, sufficiency scores."""
