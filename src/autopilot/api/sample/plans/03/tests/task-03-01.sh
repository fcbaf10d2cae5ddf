#!/bin/bash
failed=0
check() { if [ "$2" = "$3" ]; then echo "PASS: $1"; else echo "FAIL: $1"; failed=1; fi; }
file=$(mktemp -u)
python3 -m shelf "$file" add Ulysses "James Joyce" 1922 &&
python3 -m shelf "$file" add Emma "Jane Austen" 1815
check "What was added is listed, oldest first" "$(python3 -m shelf "$file" list)" \
"1815 Emma, Jane Austen
1922 Ulysses, James Joyce"
check "Finding prints only what fits" "$(python3 -m shelf "$file" find joyce)" "1922 Ulysses, James Joyce"
exit $failed
