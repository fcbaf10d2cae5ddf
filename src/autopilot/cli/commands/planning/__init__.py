"""Commands about the planning files: phases, milestones, how far the project is."""
