"""Reading and repeating the evidence of a run."""
