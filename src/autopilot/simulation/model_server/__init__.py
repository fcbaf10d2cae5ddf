"""The scripted model server: implements the vendors' protocols on loopback and answers by a script."""
