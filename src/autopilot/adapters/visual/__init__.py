"""Eyes: a browser inside the sandbox of the app, and a program of ours that shoots with it."""
