#!/bin/bash
failed=0
check() { if python3 -c "$2"; then echo "PASS: $1"; else echo "FAIL: $1"; failed=1; fi; }
check "A shelf keeps the books added to it" "
from shelf.books import Book, Shelf
s = Shelf()
s.add(Book('Emma', 'Austen', 1815))
s.add(Book('Ulysses', 'Joyce', 1922))
assert [b.year for b in s.books()] == [1815, 1922]"
check "The project compiles" "import compileall; assert compileall.compile_dir('shelf', quiet=1)"
exit $failed
