#!/bin/sh
# Makes a Docker image of RabbitMQ from Debian's packages, without an image registry:
# rabbitmq-image.sh NAME. Needs root.
set -eu
name=$1
docker image inspect "$name" >/dev/null 2>&1 && exit 0
if ! command -v debootstrap >/dev/null; then
	env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase --include=rabbitmq-server bookworm "$root"
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
tar -C "$root" -c . | docker import -c 'USER rabbitmq' -c 'CMD ["rabbitmq-server"]' - "$name"
