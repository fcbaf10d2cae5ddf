#!/bin/sh
# Writes the lock files anew, from pyproject.toml and tests/agents/package.json: every file's hash, no index and no path
# in them.
#
#   scripts/lock.sh [--upgrade]    without it, versions stay unless pyproject.toml demands others
set -eu
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT INT TERM
"${PYTHON:-python3}" -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check uv==0.13.7

compile() {
    "$tools/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 \
        --generate-hashes --no-emit-index-url --no-emit-find-links \
        --custom-compile-command "make lock" pyproject.toml "$@"
}

# With the page: whoever tries the demo is to look at what it made.
compile --extra web -o requirements.lock "$@"
# The development set contains the runtime set, version for version, and what is only needed for some agents, for the map
# of more languages and for looking at interfaces.
compile --extra dev --extra acp --extra map --extra mcp --extra otel --extra visual --extra web -c requirements.lock \
    -o requirements-dev.lock "$@"

# The agents that the tests drive: of all platforms, without the addresses they came from.
npm install --prefix tests/agents --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts \
    --no-audit --no-fund --loglevel=error
