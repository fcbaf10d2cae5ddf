"""The kept map of a repository: its files as git lists them, their facts in SQLite, parsed by several processes."""
