"""What a run did and what it took, for programs that watch many: spans and figures."""
