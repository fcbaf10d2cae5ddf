"""Task Master: ``.taskmaster/tasks/tasks.json``; a task is a phase, a subtask a task of its plan."""
