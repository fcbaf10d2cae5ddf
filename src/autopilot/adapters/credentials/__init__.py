"""Where people and programs keep logins, and which values those files hold: what must not be shown."""
