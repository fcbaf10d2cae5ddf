"""Ways to show work to other people, and to read what they ask for."""
