# Every script of the harbour that is there answers for itself.
[ ! -e tide.sh ] || [ "$(sh tide.sh at 12)" = 120 ] || { echo "tide.sh does not know noon"; exit 1; }
