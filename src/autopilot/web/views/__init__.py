"""What each page shows, taken from the record by the same queries as the commands."""
