"""What a published package holds of its repository, as its manifest says."""
