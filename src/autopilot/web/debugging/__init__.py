"""Debug sessions on the page."""
