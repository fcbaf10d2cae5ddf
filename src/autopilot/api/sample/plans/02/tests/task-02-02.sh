#!/bin/bash
failed=0
check() { if python3 -c "$2"; then echo "PASS: $1"; else echo "FAIL: $1"; failed=1; fi; }
check "The oldest book comes first" "
from shelf.books import Book, Shelf
from shelf.order import by_year
s = Shelf()
for title, year in (('b', 1922), ('a', 1815), ('c', 1922)):
    s.add(Book(title, '', year))
assert [b.title for b in by_year(s)] == ['a', 'b', 'c']"
exit $failed
