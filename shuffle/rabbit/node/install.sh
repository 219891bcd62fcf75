#!/bin/sh
# Installs the RabbitMQ server that the tests and `analyzer cluster up` run nodes of, unless
# there is one: 3.10 or later. The system's own service is not started: nodes are private.
set -eu

for d in /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin /usr/local/lib/rabbitmq/lib/rabbitmq_server-*/sbin \
	/opt/rabbitmq/sbin /opt/rabbitmq_server-*/sbin; do
	if [ -x "$d/rabbitmq-server" ]; then
		exit 0
	fi
done

as_root=
if [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null; then
	as_root=sudo
fi
# A policy that answers 101 keeps the package from starting its service.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ] && $as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy" 2>/dev/null; then
	trap '$as_root rm -f "$policy"' EXIT
fi
"$(dirname "$0")/../../../process/install.sh" rabbitmq-server
