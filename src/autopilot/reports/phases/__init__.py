"""The phases of a roadmap, what an edit does to them, and how far a project is: as text and as data."""
