"""Questions, answers and verdicts, from any process."""
