"""Which phases a run is about, which flags go together, and what the run will cost."""
