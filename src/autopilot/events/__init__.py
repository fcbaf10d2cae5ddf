"""What can happen, how it is written down, and how the past becomes the present."""
