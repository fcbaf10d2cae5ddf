"""What `init` and `doctor` find, and a run would: each with its remedy."""
