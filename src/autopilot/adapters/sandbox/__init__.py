"""Commands that run where they can do no harm, are watched to their end, and leave nothing behind."""
