"""The scripted agent: a program that acts by a script."""
