"""Stories: worlds with a script, ready to run. A scenario tells how one must end; chaos kills it at every append."""
