"""Commands as words: options, and programs that only start another one."""
