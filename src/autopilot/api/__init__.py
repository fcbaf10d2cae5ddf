"""The door for programs: a request in, recorded batches out."""
