"""The only place that reads configuration and the environment."""
