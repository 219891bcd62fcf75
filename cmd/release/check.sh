#!/bin/sh
# Tries what “make release” has made, as a user of Linux would: the checksums, the archive, the
# image, and the .deb, which is installed into a directory of its own, run and removed. Needs
# dpkg for the .deb, and root to install it; without them these parts are left out, and said.
#
#   check.sh DIR VERSION PROCESSOR
set -eu

cd "$1"
version=$2 processor=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

says() {
	out=$("$@")
	case $out in
	"analyzer version $version"*) ;;
	*) echo "$1 says: $out" >&2 && exit 1 ;;
	esac
}
answers() {
	printf 'a,b\n1,x\n2,y\n' >"$work/t.csv"
	[ "$("$1" sql "SELECT sum(a) AS n FROM '$work/t.csv'" --format csv --quiet)" = "$(printf 'n\n3')" ]
}

sha256sum --check --quiet SHA256SUMS
echo "checksums: right"

tar -xzf "analyzer-$version-linux-$processor.tar.gz" -C "$work"
program=$work/analyzer-$version-linux-$processor/analyzer
says "$program" version
answers "$program"
for name in analyzer.1 completions/_analyzer completions/analyzer.bash completions/analyzer.fish LICENSE README.md; do
	[ -s "$work/analyzer-$version-linux-$processor/$name" ]
done
echo "archive: runs"

mkdir "$work/image"
tar -xf "analyzer-$version-image.tar" -C "$work/image"
for blob in "$work"/image/blobs/sha256/*; do
	[ "$(sha256sum <"$blob" | cut -d ' ' -f 1)" = "$(basename "$blob")" ]
done
echo "image: its blobs are what their names say"

deb=$(ls analyzer_*_"$processor".deb)
if ! command -v dpkg >/dev/null || [ "$(id -u)" -ne 0 ]; then
	echo ".deb: not tried, which needs dpkg and root"
	exit
fi
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
dpkg --root="$root" --log=/dev/null --install "$deb" >/dev/null
says "$root/usr/bin/analyzer" version
answers "$root/usr/bin/analyzer"
gzip -dc "$root/usr/share/man/man1/analyzer.1.gz" | grep -q '^\.TH'
dpkg --root="$root" --log=/dev/null --purge analyzer >/dev/null
left=$(find "$root" -path "$root/var" -prune -o -type f -print)
[ -z "$left" ] || { echo "removing it leaves $left" >&2 && exit 1; }
echo ".deb: installed, run and removed"
