"""Pieces of the product that are recorded and judged: each says how it begins, what it does, and what must survive.

- ``prepare`` makes the folder as it is before; it counts as safe on the disk.
- ``perform`` does the work, in a process of its own, and promises what the product acknowledged.
- ``judge`` lets the product open what a loss of power left; AssertionError or any error of the product is a fault.
"""
