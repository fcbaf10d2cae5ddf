"""From tags to a map of the sources: queries, and an excerpt that fits a size."""
