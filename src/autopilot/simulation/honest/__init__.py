"""Honest replies of the scripted agent, by role."""
