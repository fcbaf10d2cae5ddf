"""What the page of a run shows of an issue."""
