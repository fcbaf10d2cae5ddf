"""Ways to tell a person that a run rests."""
