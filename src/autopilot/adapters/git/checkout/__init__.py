"""The user's checkout: read, snapshotted, and written only by a landing."""
