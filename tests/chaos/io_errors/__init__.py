"""Each call that changes a disk fails once, or from then on: nothing acknowledged is lost, and the next run goes on.

The pieces are those of `power_loss`. A small library in C is loaded into the piece's process and into every git that it
starts; it counts the calls that change a file below the folder, and lets one of them fail.
"""
