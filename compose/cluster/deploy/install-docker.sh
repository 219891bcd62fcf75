#!/bin/sh
# Installs Docker and Docker Compose unless they are installed, and starts Docker unless it
# runs. For Debian and Ubuntu; needs root, as Docker does.
set -eu

compose_there() { docker compose version >/dev/null 2>&1 || command -v docker-compose >/dev/null; }

if ! command -v dockerd >/dev/null || ! compose_there; then
	apt-get update -qq
	env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends docker.io docker-compose iptables
fi
docker info >/dev/null 2>&1 && exit 0

# Without a service manager such as systemd, nothing has started it yet.
log=$(mktemp /tmp/dockerd.XXXXXX.log)
nohup dockerd >"$log" 2>&1 &
for _ in $(seq 60); do
	docker info >/dev/null 2>&1 && exit 0
	sleep 1
done
echo "dockerd does not answer after a minute; its log is $log" >&2
exit 1
