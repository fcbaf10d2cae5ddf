"""What a change shows without being run: control files, product code, wiring, types of files."""
