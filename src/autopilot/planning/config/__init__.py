"""The repository's configuration and the commands its manifests name."""
