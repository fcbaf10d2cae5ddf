"""What a verdict rests on, as autopilot evidence and the reports show it."""
