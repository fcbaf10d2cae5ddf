"""Gates of what is asked otherwise: with other inputs, on another day, in another build."""
