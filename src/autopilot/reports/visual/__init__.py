"""Visual checks for people: lines of the terminal, JSON, VISUAL-BUGS.md."""
