#!/usr/bin/env bash
# Installs the system libraries that lifestats is built with, or prints exactly what to install.
# Prints nothing when nothing is missing.
set -euo pipefail

libraries=(libgvc libcgraph sqlite3 libarchive zlib)
# macOS has libedit in its SDK, without a pkg-config file.
[ "$(uname -s)" = Darwin ] || libraries+=(libedit)

say() { printf 'lifestats: %s\n' "$*" >&2; }

missing() {
    if ! command -v pkg-config >/dev/null 2>&1; then
        echo pkg-config
        return
    fi
    local library
    for library in "${libraries[@]}"; do
        pkg-config --exists "$library" || echo "$library"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        sudo "$@"
    elif command -v sudo >/dev/null 2>&1 && [ -t 0 ]; then
        say "needs your password to run: $*"
        sudo "$@"
    else
        return 1
    fi
}

fail() {
    say "missing: $(missing | tr '\n' ' ')"
    say "$1"
    say "install it with:"
    printf '\n    %s\n\n' "$2" >&2
    say "then run make again."
    exit 1
}

if ! command -v swift >/dev/null 2>&1; then
    say "there is no Swift toolchain: 'swift' is not in PATH."
    say "install Swift 6.2 or newer from https://www.swift.org/install, then run make again."
    exit 1
fi

[ -n "$(missing)" ] || exit 0
say "missing: $(missing | tr '\n' ' ')"

if command -v apt-get >/dev/null 2>&1; then
    packages="pkg-config libsqlite3-dev libgraphviz-dev libarchive-dev zlib1g-dev libedit-dev"
    command="apt-get update && apt-get install -y --no-install-recommends $packages"
    [ "$(id -u)" -eq 0 ] || command="sudo sh -c '$command'"
    say "installing $packages"
    as_root true || fail "cannot install: not root, and sudo is not permitted." "$command"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages >&2 ||
        { as_root apt-get update -q >&2 &&
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages >&2; } ||
        fail "apt-get could not install it: is there a network?" "$command"
elif command -v brew >/dev/null 2>&1; then
    packages="pkgconf sqlite graphviz libarchive zlib"
    command="brew install $packages"
    say "installing $packages"
    brew install $packages >&2 || fail "Homebrew could not install it: is there a network?" "$command"
elif command -v dnf >/dev/null 2>&1; then
    fail "this script installs with apt-get or Homebrew only." \
        "sudo dnf install pkgconf-pkg-config sqlite-devel graphviz-devel libarchive-devel zlib-devel libedit-devel"
else
    fail "there is neither apt-get nor Homebrew here." \
        "(your package manager) pkg-config, and the headers of SQLite 3, Graphviz, libarchive, zlib and libedit"
fi

[ -z "$(missing)" ] || fail "it was installed, but pkg-config does not find it; see PKG_CONFIG_PATH." "$command"
