"""The record: an append-only chain of sealed events in SQLite, and a fake that keeps the same promises."""
