"""Where a run stands: status, state.json, gates, questions."""
