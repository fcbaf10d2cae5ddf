"""The phases of a roadmap, edited and shown."""
