#!/usr/bin/env bash
# Tests the Compose file with a real Docker: starts a stack with several workers, gateways,
# supervisors and brokers, submits all data sets repeatedly while containers are killed and
# supervisors restart them, and compares every answer with that of one process. Always
# removes the stack at the end.
set -euo pipefail
cd "$(dirname "$0")/../../.."
program=$PWD/bin/analyzer deploy=$PWD/compose/cluster/deploy
scale=${SCALE:-0.02}

"$deploy/rabbitmq-image.sh" analyzer-rabbitmq
dir=$(mktemp -d)
compose() { (cd "$dir" && if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi); }
project=$(basename "$dir" | tr -cd 'a-zA-Z0-9' | tr 'A-Z' 'a-z')
export COMPOSE_PROJECT_NAME=$project
down() {
	status=$?
	if [ $status -ne 0 ]; then compose logs --tail 30 || true; fi
	compose down --volumes --timeout 5 >/dev/null 2>&1 || true
	rm -rf "$dir"
	exit $status
}
trap down EXIT

say() { printf '%4ds  %s\n' $SECONDS "$*"; }
container() { compose ps -q "$1"; }
port=19815
gateways=127.0.0.1:$port,127.0.0.1:$((port + 1))
token=$dir/secrets/tokens

"$program" compose --replicas worker=3,gateway=2,supervisor=3,broker=3,client=1 --queue-type quorum --memory 256MiB \
	--name "$project" --image analyzer --broker-image analyzer-rabbitmq --port $port --output "$dir" --quiet
for dataset in movies steam books; do
	"$program" generate $dataset --scale "$scale" --output "$dir/data/$dataset" --quiet
	"$program" run $dataset "$dir/data/$dataset" --output "$dir/wanted/$dataset" --quiet
done
compose up -d >/dev/null 2>&1
say "up: $(compose ps -q | wc -l) containers"

# submit DATASET N submits it from this machine and compares the answers.
submit() {
	"$program" submit "$1" "$dir/data/$1" --gateway $gateways --token-file "$token" --patience 5m --output "$dir/got/$2-$1" --quiet &&
		diff -r "$dir/wanted/$1" "$dir/got/$2-$1" && say "job $2, $1: same bytes as one process"
}
all() { submit movies "$1" && submit steam "$1" && submit books "$1"; }

all before
round=0
for victim in worker-1 gateway-0 supervisor-2 broker-1 worker-0 gateway-1 supervisor-1 worker-2; do
	round=$((round + 1))
	all $round &
	job=$!
	sleep 2
	docker kill "$(container $victim)" >/dev/null
	say "killed $victim"
	wait $job
done
for _ in $(seq 60); do
	running=$(docker ps -q --filter "label=analyzer.cluster=$project" --filter label=analyzer.node | wc -l)
	[ "$running" -ge 11 ] && break
	sleep 1
done
say "all $running processes run again after $round kills"
[ "$running" -ge 11 ]
docker wait "$(container client-0)" >/dev/null
docker run --rm --user 0 --entrypoint "" -v "${project}_answers:/answers:ro" analyzer-rabbitmq tar -C /answers -c client-0 | tar -C "$dir" -x
diff -r "$dir/wanted/movies" "$dir/client-0"
say "client-0 left the same bytes in its volume"
