"""HTTP to hosts that the user's settings name."""
