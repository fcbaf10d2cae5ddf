"""spec-kit: ``specs/NNN-name/`` with spec.md, plan.md and tasks.md; a feature is a phase, a box of tasks.md a task."""
