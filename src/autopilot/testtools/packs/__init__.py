"""One language pack for each test tool: how it is called, asked for a report, and read."""
