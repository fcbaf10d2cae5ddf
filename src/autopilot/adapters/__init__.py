"""One module per foreign thing: agents, sandbox, journal, git, clock."""
