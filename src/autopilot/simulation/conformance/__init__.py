"""The conformance run: does an agent do what a run relies on? Tried for real, against a model that speaks by script."""
