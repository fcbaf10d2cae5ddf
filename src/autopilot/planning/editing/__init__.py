"""Edits of a roadmap and of what refers to it: phases added, removed, moved, with all that names them."""
