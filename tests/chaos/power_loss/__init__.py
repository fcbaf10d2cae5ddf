"""What a loss of power may leave on a disk, tried: a piece of the product is recorded, cut off everywhere, and judged.

A child process does real work below a folder while strace records every call that changes a file there, git's own
processes included (`recorder.py`, `system_calls.py`). From the recording, `power_cut.py` makes the disks that may be
found after a loss of power: at each call, everything that was not synced may be there, missing, or there in part. Each
such disk is laid out, and the product itself opens it (`pieces/`).
"""
