"""What was run and seen, and what gates and layers say of it."""
