"""What a terminal shows while a run is in progress: pure, from a state and what is at work to lines."""
