#!/bin/sh
# Installs the RabbitMQ server that the tests and `analyzer cluster up` run nodes
# of, unless there is one. The system's own service is not started: nodes are
# private. For Debian and Ubuntu; needs root, through sudo if there is one.
set -eu

for d in /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin /usr/local/lib/rabbitmq/lib/rabbitmq_server-*/sbin \
	/opt/rabbitmq/sbin /opt/rabbitmq_server-*/sbin; do
	if [ -x "$d/rabbitmq-server" ]; then
		exit 0
	fi
done

if ! command -v apt-get >/dev/null; then
	echo "no RabbitMQ server found, and no apt-get to install one: install RabbitMQ 3.10 or later" >&2
	exit 1
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null; then
		echo "no RabbitMQ server found; as root: apt-get install --no-install-recommends rabbitmq-server" >&2
		exit 1
	fi
fi

# A policy that answers 101 keeps the package from starting its service.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	$as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy"
	trap '$as_root rm -f "$policy"' EXIT
fi
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends rabbitmq-server
