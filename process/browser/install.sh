#!/bin/sh
# Installs Chromium, in which tests open pages, unless it is installed.
set -eu

if command -v chromium >/dev/null || command -v google-chrome >/dev/null; then
	exit 0
fi
exec "$(dirname "$0")/../install.sh" chromium Chromium
