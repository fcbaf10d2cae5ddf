"""The event log of state.json, from the journal's events."""
