"""The nouns: frozen, typed, and ignorant of everything that happens to them."""
