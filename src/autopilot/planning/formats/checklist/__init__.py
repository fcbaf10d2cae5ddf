"""Lists of boxes in one file: ``fix_plan.md`` of Ralph, and ``TODO.md``, ``TASKS.md``, ``PLAN.md`` at the root."""
