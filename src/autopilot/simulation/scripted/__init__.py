"""The scripted agent: a program that plays a script."""
