"""What a live view of one repository reads: its record where it has grown, and what is at work beside it."""
