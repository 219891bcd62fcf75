#!/bin/sh
# Installs Chromium, in which tests open pages, unless it is installed. For Debian
# and Ubuntu; needs root, or sudo.
set -eu

if command -v chromium >/dev/null || command -v google-chrome >/dev/null; then
	exit 0
fi
if ! command -v apt-get >/dev/null; then
	echo "no Chromium found, and no apt-get to install one: install Chromium" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null; then
		echo "no Chromium found; as root: apt-get install --no-install-recommends chromium" >&2
		exit 1
	fi
fi
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
