#!/bin/bash
failed=0
check() { if python3 -c "$2"; then echo "PASS: $1"; else echo "FAIL: $1"; failed=1; fi; }
setup="
from shelf.books import Book, Shelf
from shelf.search import search
s = Shelf()
s.add(Book('Emma', 'Jane Austen', 1815))
s.add(Book('Ulysses', 'James Joyce', 1922))
"
check "Searching looks at title and author and ignores case" "$setup
assert [b.title for b in search(s, 'austen EMMA')] == ['Emma']
assert [b.title for b in search(s, 'joyce')] == ['Ulysses']"
check "A word that is nowhere finds nothing" "$setup
assert list(search(s, 'zebra')) == []"
exit $failed
