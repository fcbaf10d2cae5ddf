"""What is asked otherwise: other inputs, another day, another build, without comments, other words in plans."""
