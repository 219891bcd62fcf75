#!/bin/sh
# Installs qemu's emulator of ARM programs, unless it is installed.
set -eu

if command -v qemu-aarch64-static >/dev/null; then
	exit 0
fi
exec "$(dirname "$0")/../process/install.sh" qemu-user-static "qemu's user mode"
