"""What a repository says about its own commands: candidates to be tried, none believed unseen."""
