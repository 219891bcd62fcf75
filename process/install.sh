#!/bin/sh
# install.sh PACKAGE installs a package of Debian or Ubuntu; needs root, or sudo. The lists of
# packages are fetched if none are there, or if they are so old that what they name is gone.
set -eu

package=$1
if ! command -v apt-get >/dev/null; then
	echo "there is no apt-get to install $package: install what this system has for it" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null; then
		echo "$package is missing; as root: apt-get install --no-install-recommends $package" >&2
		exit 1
	fi
fi
install() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package"
}
install 2>/dev/null || { $as_root apt-get update -qq && install; }
