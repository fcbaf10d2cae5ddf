"""Reports of a whole run."""
