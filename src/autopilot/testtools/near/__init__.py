"""Near mutants: code that returns other values of the same type; what the mutants of each language are made of."""
