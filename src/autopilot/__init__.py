"""Autopilot drives coding agents through a repository's roadmap and proves what it calls done."""

__version__ = "0.1.0"
