"""The one loop: decide, perform, record, fold."""
