"""The door for agents you talk to: status, evidence, map, gates and runs as tools of the Model Context Protocol."""
