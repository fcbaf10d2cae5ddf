"""Files of other programs that carried out this roadmap before: what is taken from them."""
