"""The door for a browser: a page that reads the journal and writes to the inbox."""
