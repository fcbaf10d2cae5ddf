"""What a terminal shows while a run is under way: pure, from a state and what is at work to lines."""
