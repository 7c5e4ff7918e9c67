#!/usr/bin/env bash
# Puts a stripped lifestats, its manual pages and the completions for bash, zsh and fish below a folder.
# usage: install.sh BINARY FOLDER [ZSH-FOLDER]
set -euo pipefail

binary=$1 root=$2 zsh=${3:-share/zsh/site-functions}

install -d "$root/bin"
install -s -m 755 "$binary" "$root/bin/lifestats"

"$binary" --experimental-dump-help | "$(dirname "$0")/manual.py" "$root/share/man/man1" "$("$binary" --version)"

completion() {
    install -d "$(dirname "$root/$2")"
    "$binary" --generate-completion-script "$1" > "$root/$2"
}
completion bash share/bash-completion/completions/lifestats
completion zsh "$zsh/_lifestats"
completion fish share/fish/vendor_completions.d/lifestats.fish
