"""A second look at product code (layer L): what honest work rarely needs and a lie often does. Flags, no verdicts."""
