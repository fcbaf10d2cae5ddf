"""Two versions of a test file, compared by what they mean: layout, imports, additions, and everything else."""
