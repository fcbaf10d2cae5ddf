"""Services beside a command: started inside its sandbox before it, and judged when it has ended."""
