#!/bin/bash
failed=0
check() { if python3 -c "$2"; then echo "PASS: $1"; else echo "FAIL: $1"; failed=1; fi; }
check "A saved shelf reads back the same" "
import tempfile, pathlib
from shelf.books import Book, Shelf
from shelf.store import load, save
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / 'shelf.json'
    s = Shelf()
    s.add(Book('Pedro Páramo', 'Rulfo', 1955))
    save(s, path)
    assert load(path).books() == s.books()"
check "A missing file is an empty shelf" "
from shelf.store import load
assert load('/tmp/nothing-here.json').books() == []"
exit $failed
