"""One row per language, and how its imports and exports are read."""
