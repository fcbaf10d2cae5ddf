"""Plans: tasks, criteria, test scripts, in every dialect that is read."""
