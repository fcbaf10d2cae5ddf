"""Steps that prepare questions to the user."""
