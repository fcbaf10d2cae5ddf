"""What green is worth: the layers of evidence and their runs."""
