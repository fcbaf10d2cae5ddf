"""Text to phases, criteria, tasks and configuration; the order of phases; span edits. Pure: strings in, nouns out."""
