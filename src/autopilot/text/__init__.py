"""Text and source code as structure: lines, fences, spans, shell words, syntax trees. Strings in, nouns out."""
