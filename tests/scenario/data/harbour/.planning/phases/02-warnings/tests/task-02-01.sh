#!/bin/bash
# Task 02-01, run from the project's root.
failed=0
say() { if [ "$1" -eq 0 ]; then echo "PASS: $2"; else echo "FAIL: $2"; failed=1; fi; }
sh warn.sh 6 2>/dev/null | grep -q flood; say $? "The hour of a flood is called one"
[ -e warn.sh ] && ! sh warn.sh 12 | grep -q flood; say $? "An ordinary hour is not"
grep -q 'tide.sh at' warn.sh 2>/dev/null; say $? "The table is asked, not copied"
exit $failed
