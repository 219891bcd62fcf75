#!/bin/sh
# Counts the instructions that functions execute in a test of a package, compiled for ARM and run by
# qemu's emulator (install-qemu.sh): what docs/decisions/2026-11-27-neon.md is about. Calls of other
# functions do not count.
#
#   bench/count-instructions.sh PACKAGE TEST FUNCTION…
#   bench/count-instructions.sh ./columnar/csv TestExtract extractNEON.abi0 extractPortable
set -eu
package=$1 test=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

GOARCH=arm64 go test -vet=off -c -o "$work/program" "$package"
ranges=$(go tool nm -size "$work/program" | awk -v functions="$*" '
	BEGIN { n = split(functions, f, " "); for (i = 1; i <= n; i++) wanted[f[i]] = 1 }
	{ name = $4; sub(/.*\//, "", name); sub(/^[^.]*\./, "", name) }
	name in wanted { printf "%s0x%s+0x%x", (ranges++ ? "," : ""), $1, $2 }')
[ -n "$ranges" ] || { echo "$package has none of these functions: $*" >&2; exit 2; }
cd "$package"
# Each step is a line that ends with the name of the function, on a descriptor of its own.
{ qemu-aarch64-static -singlestep -d exec,nochain -dfilter "$ranges" -D /proc/self/fd/3 \
	"$work/program" -test.run "^$test\$" 3>&1 >/dev/null; } | awk '{ n[$NF]++ } END { for (f in n) print n[f], f }' | sort -n
