#!/bin/sh
# install.sh PACKAGE WHAT installs a package of Debian or Ubuntu, or says what is missing; needs
# root, or sudo. The lists of packages are fetched if none are there, or if they are so old that
# what they name is gone. No service of a package is started.
set -eu

package=$1
if ! command -v apt-get >/dev/null; then
	echo "$2 is missing, and there is no apt-get: install it as this system does" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null; then
		echo "$2 is missing; as root: apt-get install --no-install-recommends $package" >&2
		exit 1
	fi
fi
# A policy that answers 101 keeps packages from starting services.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	$as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy"
	trap '$as_root rm -f "$policy"' EXIT
fi
install() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package"
}
install 2>/dev/null || { $as_root apt-get update -qq && install; }
