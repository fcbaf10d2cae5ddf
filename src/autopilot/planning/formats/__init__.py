"""Planning files of other tools: one folder or module per format, read into the nouns of a roadmap, marked by spans."""
