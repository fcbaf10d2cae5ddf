"""Why work failed, in a closed set of words: the failure taxonomy."""

from __future__ import annotations

from autopilot.model.journal_word import JournalWord


class Category(JournalWord):
    NONE = ""  # shown as unclassified
    EXECUTOR_INCOMPLETE = "executor_incomplete"  # called done, criteria not met
    EXECUTOR_WRONG_APPROACH = "executor_wrong_approach"
    COMPILATION_FAILURE = "compilation_failure"
    LINT_FAILURE = "lint_failure"
    BUILD_FAILURE = "build_failure"
    ACCEPTANCE_CRITERIA_UNMET = "acceptance_criteria_unmet"
    SCOPE_CREEP = "scope_creep"
    CONTEXT_EXHAUSTION = "context_exhaustion"
    TOOL_FAILURE = "tool_failure"
    COORDINATION_FAILURE = "coordination_failure"


WORDS = frozenset(category.value for category in Category if category)
