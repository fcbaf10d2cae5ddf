"""Planning files of another tool as files of GSD's, for who wants to leave that tool."""
