#!/bin/sh
# Installs qemu's emulator of ARM programs, unless it is installed. For Debian and Ubuntu;
# needs root, or sudo.
set -eu

if command -v qemu-aarch64-static >/dev/null; then
	exit 0
fi
if ! command -v apt-get >/dev/null; then
	echo "no qemu-aarch64-static found, and no apt-get to install it: install qemu's user mode" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null; then
		echo "no qemu-aarch64-static found; as root: apt-get install --no-install-recommends qemu-user-static" >&2
		exit 1
	fi
fi
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends qemu-user-static
