"""The state put into words: text, Markdown, HTML and JSON."""
