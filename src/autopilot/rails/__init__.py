"""Pure watchers over the history that may stop a run."""
