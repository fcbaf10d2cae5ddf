#!/bin/sh
# Makes a fresh clone ready: a virtual environment, the locked dependencies, bubblewrap. Does nothing when all is there.
#
#   scripts/setup.sh runtime    what Autopilot itself needs
#   scripts/setup.sh dev        that, and what its tests and checks need (strace records what is written)
#   scripts/setup.sh agents     the real coding agents that the tests drive, below .agents
#   scripts/setup.sh languages  the languages whose own test tools the tests run, the services that projects need, shells
set -eu

main() {
    case "${1:-}" in
        runtime) lock=requirements.lock ;;
        dev) lock=requirements-dev.lock ;;
        agents) lock=tests/agents/package-lock.json ;;
        languages) lock= ;;
        *) stop "usage: scripts/setup.sh runtime|dev|agents|languages" ;;
    esac
    cd "$(dirname "$0")/.."
    root=$PWD
    began=$(date +%s)

    if [ "$1" = agents ]; then
        has_agents "$lock" || install_agents "$lock"
    elif [ "$1" = languages ]; then
        install_languages
    else
        command -v git >/dev/null || install_package git git
        command -v bwrap >/dev/null || install_package bubblewrap bwrap
        [ "$1" = runtime ] || command -v strace >/dev/null || install_package strace strace
        is_installed "$lock" || install_python "$lock"
    fi
    say "set-up of $1: $(($(date +%s) - began)) s"
}

install_python() {
    has_venv || make_venv
    install_locked "$1"
    link_sources
    # Where a sandbox shows the sources read-only, nothing else would keep them compiled.
    .venv/bin/python -m compileall -q src/autopilot
    identify "$1" >".venv/installed-$1"
}

# What an installation is valid for: this folder and exactly this lock file.
identify() {
    printf '%s\n' "$root"
    cksum "$1"
}

is_installed() {
    [ -x .venv/bin/python ] && [ "$(cat ".venv/installed-$1" 2>/dev/null)" = "$(identify "$1")" ]
}

# A virtual environment that was copied from elsewhere still runs, but its commands start the one it came from.
has_venv() {
    [ -x .venv/bin/python ] && grep -qsF "$root/.venv/bin/python" .venv/bin/pip
}

find_python() {
    for name in "${PYTHON:-python3}" python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

make_venv() {
    python=$(find_python) || stop "Python 3.11 or newer was not found" "install it, or name it: make PYTHON=/path/to/python3"
    say "making .venv with $("$python" --version)"
    rm -rf .venv
    # Debian ships Python without the part that puts pip into a virtual environment.
    "$python" -c 'import ensurepip' 2>/dev/null || install_package "$(venv_package "$python")" "python3 -m venv"
    "$python" -m venv .venv
}

venv_package() {
    case "$1" in
        */python3) echo python3-venv ;;
        *) echo "${1##*/}-venv" ;;
    esac
}

install_locked() {
    say "installing $1"
    # Wheels only: building from source would fetch build tools that no lock file names.
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --require-hashes --only-binary :all: --no-deps -r "$1"
}

# The package runs from its sources, so no build tool is needed. The command is a script file and not `python -m`,
# because that would put the current folder, someone else's repository, first on the module path.
link_sources() {
    packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$root/src" >"$packages/autopilot-sources.pth"
    cat >.venv/bin/autopilot <<SCRIPT
#!/bin/sh
'''exec' "$root/.venv/bin/python" "\$0" "\$@"
' '''
import sys

from autopilot.__main__ import main

sys.exit(main())
SCRIPT
    chmod +x .venv/bin/autopilot
}

has_agents() {
    [ "$(cat .agents/installed 2>/dev/null)" = "$(identify "$1")" ]
}

install_agents() {
    { command -v node && command -v npm; } >/dev/null || install_package npm "Node.js with npm"
    say "installing the agents that the tests drive (1.5 GB, below .agents)"
    rm -rf .agents
    mkdir .agents
    cp "${1%/*}/package.json" "$1" .agents/
    # No package runs a script of its own choice. Two of them come without their program in place: the vendor's script
    # for it is run below by name, and the bare program of the other gets the name it is called by.
    npm ci --prefix .agents --ignore-scripts --no-audit --no-fund --loglevel=error --no-update-notifier >&2 \
        || stop "npm could not install the agents" "look at what npm says above, then run: scripts/setup.sh agents"
    node .agents/node_modules/@anthropic-ai/claude-code/install.cjs >&2
    if [ -d .agents/node_modules/opencode-linux-x64-baseline ]; then
        ln -s ../opencode-linux-x64-baseline/bin/opencode .agents/node_modules/.bin/opencode
    fi
    identify "$1" >.agents/installed
}

# All that are missing at once: one call of apt-get, and at most one update of its lists.
install_languages() {
    missing=
    for pair in go:golang-go cargo:cargo node:nodejs phpunit:phpunit rspec:ruby-rspec rake:rake bats:bats \
        redis-server:redis-server pg_ctlcluster:postgresql chromium:chromium \
        zsh:zsh fish:fish groff:groff-base; do
        command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair#*:}"
    done
    ruby -e 'require "minitest"' 2>/dev/null || missing="$missing ruby-minitest"
    [ -z "$missing" ] || install_package "${missing# }" "a language or a service that the tests run"
}

# install_package PACKAGES WHAT_FOR
install_package() {
    command -v apt-get >/dev/null || stop "$2 is missing" "install it with your system's package manager"
    if [ "$(id -u)" -eq 0 ]; then
        as_root=env
    elif command -v sudo >/dev/null; then
        as_root=sudo
    else
        stop "$2 is missing, and installing it needs root or sudo" "ask for: apt-get install $1"
    fi
    say "installing the system package $1"
    apt_install "$1" || { apt_update && apt_install "$1"; } \
        || stop "apt-get could not install $1" "run: apt-get update && apt-get install $1"
}

# Another apt may be at work, as after the start of a machine: an installation waits for it by itself, an update does not.
apt_install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=600 $1 >/dev/null
}

apt_update() {
    tries=60
    until problem=$($as_root env LC_ALL=C apt-get update -qq 2>&1); do
        tries=$((tries - 1))
        case "$tries $problem" in
            "0 "*) say "$problem"; return 1 ;;
            *"Could not get lock"*) sleep 10 ;;
            *) say "$problem"; return 1 ;;
        esac
    done
}

say() {
    printf '%s\n' "$1" >&2
}

stop() {
    say "error: $1"
    [ -z "${2:-}" ] || say "hint: $2"
    exit 2
}

main "$@"
