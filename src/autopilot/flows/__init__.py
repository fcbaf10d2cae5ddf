"""What comes next: `decide` for each mode, pure."""
