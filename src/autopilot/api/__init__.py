"""The interface for programs: takes a request and yields recorded batches of events."""
