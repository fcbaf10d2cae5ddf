"""A run in the forms that CI systems read: SARIF, code quality, annotations, and what a job goes on with."""
