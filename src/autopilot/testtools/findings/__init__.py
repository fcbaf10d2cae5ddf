"""What linters, type checkers and compilers print: their findings, and that one of them never ran."""
