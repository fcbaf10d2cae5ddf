"""Gates of the layers of evidence: what a green run is worth."""
