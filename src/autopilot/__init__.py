"""Autopilot drives coding agents through a repository's roadmap and proves what it calls done."""

# Of sources that run from where they are. What is built has the version of its git tag instead; see setup.py.
__version__ = "0.1.0+source"
