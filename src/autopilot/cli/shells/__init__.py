"""The commands as data, and what shells and `man` are given about them."""
