"""The live view at a terminal: keys in, rows out; what stands in them is rendered elsewhere."""
