"""Pure judgement: what was seen and what reviewers assessed go in, a verdict comes out."""
