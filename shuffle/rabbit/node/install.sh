#!/bin/sh
# Installs the RabbitMQ server that the tests and `analyzer cluster up` run nodes of, unless
# there is one. The system's own service is not started: nodes are private.
set -eu

for d in /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin /usr/local/lib/rabbitmq/lib/rabbitmq_server-*/sbin \
	/opt/rabbitmq/sbin /opt/rabbitmq_server-*/sbin; do
	if [ -x "$d/rabbitmq-server" ]; then
		exit 0
	fi
done
exec "$(dirname "$0")/../../../process/install.sh" rabbitmq-server "RabbitMQ 3.10 or later"
