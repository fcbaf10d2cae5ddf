"""Control files: which paths decide how work is judged, which part of a mixed file does, and what changed there."""
