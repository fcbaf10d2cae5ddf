"""What the page reads and starts."""
