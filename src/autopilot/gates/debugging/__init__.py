"""Rules of a debug session: what refutes a hypothesis, what proves a fix."""
