"""Packages that nobody here wrote: the first hour of a new user on each, with honest work and with a lie.

A row of ``rows.py`` names a package of a public registry by its version and hash, and where a small function fits in.
``trial.py`` unpacks and commits it as it is, then calls ``init``, ``doctor`` and ``run`` as a user would: once with
honest work, once with a constant and a test that asserts nothing. ``python -m tests.strangers.table`` prints it all.
"""
