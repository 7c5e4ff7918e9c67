#!/usr/bin/env bash
# Builds packages that run on a Debian without Swift: a .deb, whose libraries apt installs, and a tar archive that brings
# its libraries along.
# usage: package.sh BINARY FOLDER
set -euo pipefail

binary=$1 folder=$2
here=$(dirname "$0")
version=$("$binary" --version)
architecture=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$folder"

# Shared libraries that a file needs, directly or not; the C library is that of the system.
libraries() {
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
        grep -Ev '/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util))\.so' || true
}

# Libraries that the program loads when it first uses them (see LateLibraries).
late_names=$(strings -a "$binary" | grep -xE 'lib(archive|gvc)\.so\.[0-9]+' | sort -u)
late=$(for name in $late_names; do ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }'; done)

# The package that a library belongs to; dpkg may know it by the path before /lib became a link to /usr/lib.
owner() {
    { dpkg -S "$(readlink -f "$1")" || dpkg -S "$1"; } 2>/dev/null | head -1 | cut -d: -f1
}

# --- The .deb

deb=$stage/deb
"$here/install.sh" "$binary" "$deb/usr" share/zsh/vendor-completions
gzip -9n "$deb"/usr/share/man/man1/*.1
needed=$(objdump -p "$binary" | awk '$1 == "NEEDED" { print $2 }')$'\n'$late_names
depends="libc6 (>= $(dpkg-query -W -f '${Version}' libc6 | cut -d- -f1))"
for name in $(libraries "$binary") $late; do
    grep -qx "$(basename "$name")" <<< "$needed" || continue
    depends+=$'\n'$(owner "$name")
done
depends=$(sort -u <<< "$depends" | sed '/^$/d' | paste -sd, | sed 's/,/, /g')
install -d "$deb/DEBIAN" "$deb/usr/share/doc/lifestats"
install -m 644 "$here/../LICENSE" "$deb/usr/share/doc/lifestats/copyright"
cat > "$deb/DEBIAN/control" <<CONTROL
Package: lifestats
Version: $version
Architecture: $architecture
Maintainer: the authors of lifestats
Depends: $depends
Section: devel
Priority: optional
Installed-Size: $(du -sk "$deb/usr" | cut -f1)
Description: statistics of iOS app lifecycle logs
 Reads logs of the iOS app lifecycle into a SQLite database, answers questions
 about them, draws the observed states over the documented ones, and fails a
 build that deviates.
CONTROL
dpkg-deb --root-owner-group --build "$deb" "$folder/lifestats_${version}_${architecture}.deb" > /dev/null

# --- The tar archive

name=lifestats-$version-linux-$(uname -m)
tree=$stage/$name
"$here/install.sh" "$binary" "$tree"
install -d "$tree/lib/lifestats/graphviz" "$tree/lib/lifestats/fonts"
mv "$tree/bin/lifestats" "$tree/lib/lifestats/lifestats"
plugins=$(dirname "$(ldconfig -p | awk '/libgvc\.so/ { print $NF; exit }')")/graphviz
for plugin in core neato_layout pango; do
    cp -L "$plugins"/libgvplugin_$plugin.so.[0-9] "$tree/lib/lifestats/graphviz/"
done
cp "$plugins"/config[0-9]* "$tree/lib/lifestats/graphviz/"
{ libraries "$binary" $late "$tree"/lib/lifestats/graphviz/*.so.* && printf '%s\n' $late; } | sort -u | xargs -I{} cp -L {} "$tree/lib/lifestats/"
cp /usr/share/fonts/truetype/dejavu/DejaVuSans*.ttf "$tree/lib/lifestats/fonts/" 2>/dev/null ||
    echo "lifestats: no DejaVu fonts to bring along; install fonts-dejavu-core" >&2
cat > "$tree/lib/lifestats/fonts/fonts.conf" <<'FONTS'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">.</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
FONTS
cat > "$tree/bin/lifestats" <<'WRAPPER'
#!/bin/sh
# Runs lifestats with the libraries that came with it, and their fonts where the system has none.
here=$(dirname "$(readlink -f "$0")")/../lib/lifestats
LD_LIBRARY_PATH=$here${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
GVBINDIR=$here/graphviz
export LD_LIBRARY_PATH GVBINDIR
if [ ! -e /etc/fonts/fonts.conf ]; then
    FONTCONFIG_FILE=$here/fonts/fonts.conf
    export FONTCONFIG_FILE
fi
exec "$here/lifestats" "$@"
WRAPPER
chmod 755 "$tree/bin/lifestats"
install -m 644 "$here/../LICENSE" "$here/../README.md" "$tree/"
tar -C "$stage" --owner=0 --group=0 --sort=name -czf "$folder/$name.tar.gz" "$name"
ls -l "$folder" | awk 'NR > 1 { print $5, $NF }'
