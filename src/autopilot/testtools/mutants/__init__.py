"""Constant mutants: the changed functions of a task with a constant in place of their work."""
