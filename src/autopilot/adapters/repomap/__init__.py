"""The repository map on the disk, and searches in its texts."""
