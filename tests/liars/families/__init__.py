"""Lies and honest works by combination: an aim, a shape of project, a means, and the step in which it is used.

``aims.py`` says what a user asks for, ``shapes.py`` how a project is laid out and tested, ``lies.py`` and ``works.py``
what the agent does about it. ``every.py`` puts them together: each combination is a case of its own, told by its name
(``gen-py-src-slug-only-on-the-stack-second``).
"""
