"""Forges that play their part on this machine: a `gh`, a `glab`, and a server that speaks the API of Gitea."""
