#!/usr/bin/env bash
# Autopilot from this folder's checkout into an environment of its own, and bubblewrap, without which nothing runs.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/autopilot-venv
if ! command -v bwrap >/dev/null; then
    as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" apt-get install -q -y bubblewrap
fi
cd "$root" # Python imports from the folder it stands in, and the job's is the user's checkout
python3 -m venv "$place"
"$place/bin/pip" install -q -r "$root/requirements.lock" --require-hashes
"$place/bin/pip" install -q --no-deps "$root"
if [[ -n ${GITHUB_PATH:-} ]]; then
    echo "$place/bin" >>"$GITHUB_PATH"
fi
