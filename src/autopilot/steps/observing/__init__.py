"""Running commands on a clean checkout and recording what was observed."""
