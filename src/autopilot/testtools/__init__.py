"""Language packs: which tool a command calls to run tests, how to ask it for a report, and how to read that."""
