"""OpenSpec: one folder for each change, in ``openspec/changes/``; what is archived is done."""
