"""What this machine has of what Autopilot can use, and the command that installs the rest."""
