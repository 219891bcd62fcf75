# make help lists the targets. Targets without peers in their name need only Go, make
# and git.

BIN    := bin/analyzer
OUT    := out
TOOL   := go tool -modfile=tools/go.mod

# Variables that may be set, as in: make bench PKG=./columnar/scan COUNT=10
PKG      ?= ./...
BENCH    ?= .
COUNT    ?= 6
FUZZ     ?= ^Fuzz
FUZZTIME ?= 10s
PREFIX   ?= $(HOME)/.local
# A directory with movies, steam and books; empty: generated data.
DATA     ?=
# The scale of generated data: 1 is the size of the real files.
SCALE    ?= 0.1
REPLICAS ?= 1,2
MEMORY   ?= 16MiB,64MiB,256MiB,unlimited
REPEAT   ?= 3
PAIRS    ?= 5
WORKERS  ?= 2
KILLS    ?= 100
FILES    ?= 100000
JOBS     ?= 10000
HOURS    ?= 3
ROUNDS   ?= 100
# Flags of make chaos, such as --kills 20 --pauses 2 --all-but 1 --seed 1.
CHAOS    ?=
IMAGE    ?= analyzer
# Of a release, such as 1.2.3, and the address of the directory that its files will be in.
VERSION  ?=
URL      ?=
# Systems and processors that the program is built for.
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 windows/amd64

# Packages that start goroutines, or whose values several goroutines share. For all others
# the race detector finds nothing, and makes them take ten times as long. Whole clusters are made of these
# packages: make race-cluster has them run with it too.
RACE := ./cmd/analyzer/internal/progress ./compose/session $(addprefix ./columnar/,budget csv parquet scan segment vfs vfs/stop) \
	./compose/engine $(addprefix ./compose/cluster/,chaos client gateway load local membership monitor page scatter supervisor worker) \
	$(addprefix ./operators/,exec keyset order sentiment) ./process ./shuffle ./shuffle/broker ./shuffle/brokertest ./shuffle/membroker ./shuffle/rabbit/...

NFPM     := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
HUGO     := github.com/gohugoio/hugo@v0.160.0
MERMAID  := @mermaid-js/tiny@12.0.0

# Everything is compiled in one way, so that all targets share what the compiler made: without
# cgo, but for the race detector, and without parts of libraries that nothing here calls
# (Markdown manuals, web pages of traces), since every start of the program would initialise
# them. For Arrow, the tag tinygo only selects encoding/json to read JSON; its default JSON
# package allocates 2 MB at initialisation, which causes a garbage collection during the start.
# CGO is 1 where there is a C compiler.
CGO ?= $(shell go env CGO_ENABLED)
export CGO
export CGO_ENABLED := 0
export GOFLAGS := $(filter-out -tags=%,$(GOFLAGS)) -tags=urfave_cli_no_docs,grpcnotrace,tinygo

.PHONY: help
help: ## list what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/analyzer
	go build -o $(BIN) ./cmd/analyzer

# make test checks the types for all of them, and that others are refused (platforms_test.go).
.PHONY: cross
cross: ## build and vet the program for all PLATFORMS
	@for p in $(PLATFORMS); do \
		echo "$$p"; export GOOS=$${p%/*} GOARCH=$${p#*/}; \
		go vet ./cmd/analyzer && go build -o $(OUT)/cross/$${p%/*}-$${p#*/}/ ./cmd/analyzer || exit; \
	done

.PHONY: qemu
qemu: ## install qemu's emulator of ARM programs, if it is missing
	@bench/install-qemu.sh

# Questions over the samples must have the bytes that they have here, SQL the recorded
# answers, and vector instructions those of the loops in Go.
EMULATED := GOARCH=arm64 go test -vet=off -exec qemu-aarch64-static -timeout 60m
KERNELS  := TestClassify|TestExtract|TestColumns|TestValidUTF8|TestDecoded

.PHONY: arm64
arm64: build qemu ## the fifteen questions, SQL and vector instructions on an emulated ARM processor
	GOARCH=arm64 go build -o $(OUT)/cross/linux-arm64/ ./cmd/analyzer
	@for dataset in movies steam books; do \
		$(BIN) run $$dataset --quiet >$(OUT)/cross/here.txt && \
		qemu-aarch64-static $(OUT)/cross/linux-arm64/analyzer run $$dataset --quiet >$(OUT)/cross/there.txt && \
		cmp $(OUT)/cross/here.txt $(OUT)/cross/there.txt || exit; echo "$$dataset: the same answers"; \
	done
	$(EMULATED) -run 'TestQueryScripts|TestRandomStatements' ./compose/engine
	$(EMULATED) -short -run '$(KERNELS)' $(addprefix ./columnar/,csv number scan stored)

.PHONY: arm64-long
arm64-long: arm64 ## the same, with all tests of what has vector instructions; no product may be added without being rounded
	@if go tool objdump -s '^analyzer/(columnar|operators)' $(OUT)/cross/linux-arm64/analyzer | grep -E 'FN?M(ADD|SUB)[DS] ' | grep -v 'floatsum.go.*FMADDD'; then \
		echo 'products that are added without being rounded: write float64(x*y), so that answers are the same on all processors'; exit 1; fi
	$(EMULATED) -short $(addprefix ./columnar/,csv number scan stored)

# Nothing in a release depends on the time, the machine or the directory: it is a function of
# the commit, VERSION and the release of Go.
.PHONY: release
release: build ## archives, .deb, .rpm, image, contents and checksums of VERSION for all PLATFORMS into out/release; with URL, where they will be, also a formula for Homebrew
	@case "$(VERSION)" in '') echo 'name the version: make release VERSION=1.2.3'; exit 2;; esac
	@rm -rf $(OUT)/programs; mkdir -p $(OUT)/programs/share/completions
	@for p in $(PLATFORMS); do \
		echo "$$p"; GOOS=$${p%/*} GOARCH=$${p#*/} go build -trimpath -buildvcs=false \
			-ldflags '-s -w -buildid= -X main.releaseVersion=$(VERSION:v%=%) -X main.releaseCommit=$(shell git rev-parse --short=12 HEAD)' \
			-o $(OUT)/programs/$${p%/*}-$${p#*/}/ ./cmd/analyzer || exit; \
	done
	@$(BIN) man >$(OUT)/programs/share/analyzer.1
	@$(BIN) completion bash >$(OUT)/programs/share/completions/analyzer.bash
	@$(BIN) completion zsh >$(OUT)/programs/share/completions/_analyzer
	@$(BIN) completion fish >$(OUT)/programs/share/completions/analyzer.fish
	go run ./cmd/release -version '$(VERSION)' -commit $(shell git rev-parse HEAD) -date $(shell git log -1 --format=%ct) -url '$(URL)' \
		-packager 'go run $(NFPM)' -programs $(OUT)/programs -output $(OUT)/release

# The second release is built from a clone in another directory, without any cache.
.PHONY: release-check
release-check: release ## try a release: is it reproducible, does it run, is the .deb installed, run and removed
	cmd/release/check.sh $(OUT)/release '$(VERSION:v%=%)' $$(go env GOARCH)
	@again=$$(mktemp -d) && trap 'rm -rf "$$again"' EXIT && git clone -q . "$$again/clone" && cd "$$again/clone" && git checkout -q $(shell git rev-parse HEAD) && \
		GOCACHE="$$again/cache" $(MAKE) --no-print-directory release VERSION='$(VERSION)' URL='$(URL)' PLATFORMS='$(PLATFORMS)' && \
		diff -r out/release '$(CURDIR)/$(OUT)/release' && echo 'reproducible: built twice, the same bytes'

.PHONY: run
run: build ## answer the fifteen queries over the samples
	@for dataset in movies steam books; do \
		printf '\n== %s ==\n\n' $$dataset; \
		$(BIN) run $$dataset --format table || exit; \
	done

# Side by side, since tests of the cluster mostly wait, while those with the race detector and the
# linter compute. What is missing is installed before, one after the other.
.PHONY: test
test: ## everything that must hold before a change goes in, but speed: see matrix
	@$(MAKE) --no-print-directory -j 1 broker browser
	@if $(MAKE) --no-print-directory qemu; then emulated=arm64; else echo 'there is no emulator of ARM: its tests are left out'; fi; \
	$(MAKE) --no-print-directory --output-sync=line -j 3 lint rest race $$emulated

# The linter is built once per version. Its cache is next to the build cache, so that
# keeping one keeps both.
.PHONY: lint
lint: ## formatting, vet, staticcheck and other linters, by .golangci.yml
	GOLANGCI_LINT_CACHE="$$(go env GOCACHE)/golangci-lint" go run $(GOLANGCI) run --allow-parallel-runners

.PHONY: broker
broker: ## install RabbitMQ, which tests of the cluster start for themselves, if it is missing
	@shuffle/rabbit/node/install.sh

.PHONY: browser
browser: | broker ## install Chromium, in which tests look at pages, if it is missing
	@process/browser/install.sh

.PHONY: unit
unit: broker browser ## all tests, fuzz seeds included
	go test ./...

# Tests of a cluster wait half of the time, so one more parallel test than there are processors
# runs at once. What takes longest begins first. make lint runs vet on test files.
TEST := n=$$(getconf _NPROCESSORS_ONLN); go test -vet=off -timeout 30m -p $$n -parallel $$((n + 1))
FIRST := $(addprefix ./,compose/cluster/e2e compose/engine cmd/analyzer)

# In most packages the short tests are all tests. Packages from which -short or the race
# detector leaves something out run without them as well.
.PHONY: rest
rest: broker ## all tests that race does not run just so; all, where there is no C compiler
	@packages=./...; \
	if [ "$(CGO)" = 1 ]; then packages=$$( \
		{ go list ./... | grep -vxF "$$(go list $(RACE))"; \
		grep -rlE --include='*.go' 'testing\.Short\(\)|^//go:build .*race' . | xargs -n 1 dirname | xargs go list; \
		} | sort -u); fi; \
	echo go test $$packages; $(TEST) $(FIRST) $$packages

.PHONY: race
race: broker browser ## short tests of what runs concurrently with the race detector, which needs a C compiler
	@export CGO_ENABLED=1; if [ "$(CGO)" = 1 ]; then echo go test -race -short $(RACE); $(TEST) -race -short $(RACE); \
	else echo 'there is no C compiler: the race detector is left out'; fi

.PHONY: race-cluster
race-cluster: broker ## whole clusters, whose processes have the race detector too
	CGO_ENABLED=1 go test -race -short ./compose/cluster/e2e -count 1 -timeout 60m

.PHONY: hosts
hosts: broker ## three computers, of which one fails, loses its network, and is replaced, while jobs run (as root, on Linux with iproute2)
	go test ./compose/cluster/e2e -run 'TestHosts$$' -namespaces -count 1 -timeout 10m -v

.PHONY: crash-matrix
crash-matrix: broker ## end processes of a cluster at every point, over all queries, followed or not, and KILLS times at random
	go test ./compose/cluster/e2e -run 'TestCrashMatrix|TestFollowMatrix|TestThirtyKills|TestRandomKills' -matrix -kills $(KILLS) -count 1 -timeout 60m -v

.PHONY: long
long: broker ## what takes long: workers that hang for 40 s, brokers that are away or blocked, KILLS jobs with kills, FILES appended twice, many seeds
	go test ./compose/cluster/e2e -run 'TestStatements|TestConstructs|TestWorkerStopped|TestBrokerKilled|TestBlockedBroker|TestOneOfThree|TestRandomKills|TestDisk|TestConsumerTimeout|TestThousandJobs' -long -kills $(KILLS) -count 1 -timeout 60m -v
	go test ./shuffle/brokertest -run TestRabbit/ManySubscriptions -long -count 1 -timeout 60m -v
	go test ./compose/cluster/e2e -run TestManyAppends -files $(FILES) -gap 10s -count 1 -timeout 300m -v
	go test ./compose/cluster/e2e -run TestHistories -histories 240 -count 1 -timeout 60m -v
	go test ./compose/cluster/worker -run TestManyFiles -files $(FILES) -count 1 -timeout 60m
	go test ./compose/cluster/sim -seeds 50000 -count 1 -timeout 60m
	go test ./compose/engine -run TestIdentities -identities 20000 -count 1 -timeout 60m

.PHONY: idle
idle: broker ## what JOBS open jobs cost three workers and the broker while nothing happens, and how long requests and a killed worker take beside them
	go test ./compose/cluster/e2e -run TestIdleJobs -idle $(JOBS) -count 1 -timeout 120m -v

.PHONY: chaos
chaos: ## kill nodes of a cluster under supervisors at random, 50 times, while jobs run
	@$(MAKE) --no-print-directory tormented CHAOS='$(CHAOS)'

# A gap of half a minute lets nodes live for minutes, so that growth becomes visible.
.PHONY: messy
messy: ## how ROUNDS tables come back that are made dirty by known operations, by kind of mess
	@go test ./compose/session -run TestMess -v -rounds $(ROUNDS) | sed -n 's/^ *mess_test.go:[0-9]*: \(.* exact .*\)/\1/p' | sort

.PHONY: soak
soak: ## the same for HOURS, with memory, files and queues watched for growth
	@$(MAKE) --no-print-directory tormented CHAOS='--for $(HOURS)h --gap 30s $(CHAOS)'

# Another cluster may answer at this address while this one cannot start, so the loop also
# checks that this one still runs.
.PHONY: tormented
tormented: build broker
	@$(BIN) cluster up --supervisors 3 --gateways 2 --listen 127.0.0.1:28815 --http 127.0.0.1:28814 & up=$$!; \
	trap 'kill -INT $$up 2>/dev/null; wait $$up' EXIT; \
	for i in $$(seq 60); do \
		$(BIN) cluster status --node 127.0.0.1:28814 >/dev/null 2>&1; well=$$?; \
		kill -0 $$up 2>/dev/null || exit 1; [ $$well = 0 ] && break; sleep 1; \
	done; \
	$(BIN) chaos --node 127.0.0.1:28814 --gateway 127.0.0.1:28815,127.0.0.1:28816 $(CHAOS)

# Workloads that spill, under two memory limits and without one, with one replica and with
# four; and a cluster compared with one process. Answers, memory, and the bytes spilled and
# sent must hold. Times are measured as ratios, which are comparable between machines, and fail
# only above bounds that a machine keeps whose second core is not free, when measured twice. How
# they moved against bench/baseline is shown; make baseline accepts the current values.
.PHONY: matrix
matrix: matrix-measured ## compare memory limits, replicas and a cluster with one another, and with the baseline
	@for part in spill cluster; do \
		$(BIN) bench compare bench/baseline/$$part.csv $(OUT)/matrix/$$part --max-regression 25% --counts || exit; \
	done

.PHONY: baseline
baseline: matrix-measured ## make what the matrix measures the baseline
	@for part in spill cluster; do cp $(OUT)/matrix/$$part/ratios.csv bench/baseline/$$part.csv || exit; done

.PHONY: matrix-measured
matrix-measured: build broker
	$(BIN) bench --scale 0.2 --workload groups,selfjoin,listagg --replicas 1,4 --memory 16MiB,64MiB,unlimited --repeat 2 \
		--check-memory --max-memory-cost 4 --max-replica-cost 2 --output $(OUT)/matrix/spill
	$(BIN) bench --scale 0.2 --workload groups --transport memory,rabbitmq --replicas 2 --memory unlimited --repeat 3 \
		--max-cluster-cost 6 --output $(OUT)/matrix/cluster

# All machines together must not have more cores than this one, beside those of the broker.
.PHONY: scale
scale: build broker ## a cluster of 1, 2, 4 and 8 machines of a tenth of a core, into out/scale (as root, on Linux)
	$(BIN) bench $(if $(DATA),$(DATA),--scale $(SCALE)) --workload groups,movies,steam,books --transport rabbitmq --replicas 1,2,4,8 --machine-cores 0.1 \
		--memory unlimited --repeat 1 --output $(OUT)/scale

.PHONY: sweep
sweep: build ## throughput and memory over REPLICAS and MEMORY, of DATA or at SCALE, into out/bench
	$(BIN) bench $(if $(DATA),$(DATA),--scale $(SCALE)) --replicas $(REPLICAS) --memory $(MEMORY) --repeat $(REPEAT) --check-memory --output $(OUT)/bench

.PHONY: bench
bench: ## Go benchmarks of PKG that match BENCH, COUNT times, into out/bench.txt for benchstat
	@mkdir -p $(OUT)
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) $(PKG) >$(OUT)/bench.txt || { cat $(OUT)/bench.txt; exit 1; }
	$(TOOL) benchstat $(OUT)/bench.txt

.PHONY: fuzz
fuzz: ## each fuzz target of PKG that matches FUZZ, for FUZZTIME
	@for package in $$(go list $(PKG)); do \
		targets=$$(go test -list '$(FUZZ)' $$package | grep '^Fuzz') || continue; \
		for target in $$targets; do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit; \
		done; \
	done

.PHONY: bench-peers
bench-peers: build peers-built ## analyzer beside DuckDB, ClickHouse, Polars and encoding/csv over DATA, into out/peers (needs Node)
	@$(need-data)
	bench/peers/peers bench --peer-dir bench/peers --analyzer $(abspath $(BIN)) --data $(abspath $(DATA)) --pairs $(PAIRS) --out $(OUT)/peers

.PHONY: bench-report
bench-report: ## write what suites, bench-peers, bench-cluster, bench-queries and bench-follow measured into README and docs
	go run ./bench/peers report --suites $(OUT)/suites.json --follow $(OUT)/follow/bench.json --page README.md --page docs/speed.md --page docs/nodes.md \
		--peers $(OUT)/peers/peers.json --cluster $(OUT)/cluster/bench.json --queries $(OUT)/queries/bench.json

comma := ,
empty :=

.PHONY: bench-queries
bench-queries: build broker ## what each question makes a cluster hold and send, as data grows, into out/queries
	$(BIN) bench --scale 0.1,1 --workload $(subst $(empty) ,$(comma),$(foreach d,movies steam books,$(foreach q,1 2 3 4 5,$(d)/q$(q)))) \
		--transport rabbitmq --replicas 2 --memory unlimited --repeat 1 --output $(OUT)/queries

.PHONY: bench-follow
bench-follow: build broker ## answers while tables are read, and pages that are looked at: what they leave of the throughput, how long blocks wait, of DATA or at SCALE, into out/follow
	$(BIN) bench $(if $(DATA),$(DATA),--scale $(SCALE)) --workload movies,steam,books --transport memory,rabbitmq --replicas $(WORKERS) --memory unlimited \
		--follow end,shares,1s --pages 0,4 --repeat $(REPEAT) --output $(OUT)/follow

.PHONY: verify-peers
verify-peers: build peers-built ## compare all answers over DATA with DuckDB's (needs Node)
	@$(need-data)
	bench/peers/peers compare --peer-dir bench/peers --analyzer $(abspath $(BIN)) --data $(abspath $(DATA))

.PHONY: bench-cluster
bench-cluster: build broker ## a cluster of WORKERS on this machine beside one process, of DATA or at SCALE, into out/cluster
	$(BIN) bench $(if $(DATA),$(DATA),--scale $(SCALE)) --workload movies,steam,books --transport memory,rabbitmq \
		--replicas $(WORKERS) --memory unlimited --repeat $(PAIRS) --output $(OUT)/cluster

.PHONY: test-peers
test-peers: build peers-node ## random statements and the questions of benchmarks, compared with DuckDB's answers and its parser; SEED, STATEMENTS, and the GATEWAY of a cluster to ask (needs Node)
	mkdir -p $(OUT)
	cd bench/peers && \
		node statements.mjs --analyzer $(abspath $(BIN)) $(if $(GATEWAY),--gateway $(GATEWAY)) $(if $(SEED),--seed $(SEED)) --count $(or $(STATEMENTS),500) --texts $(abspath $(OUT))/statements.txt
	go test ./operators/query/sql -run TestWritePrinted -count=1 -args -texts $(abspath $(OUT))/statements.txt -printed $(abspath $(OUT))/printed.txt
	cd bench/peers && node roundtrip.mjs $(abspath $(OUT))/printed.txt && node suites.mjs --analyzer $(abspath $(BIN)) --pairs 0
	cd bench/peers && node suites.mjs --analyzer $(abspath $(BIN)) --pairs 0 --suite parquet --stored parquet,parquet-v2,parquet-zstd,parquet-own

.PHONY: test-functions
test-functions: build peers-node ## every function, operator and cast over values at the ends of its types, compared with DuckDB's; ONLY some, of up to TYPES combinations of types each (needs Node)
	cd bench/peers && node functions.mjs --analyzer $(abspath $(BIN)) --most $(or $(TYPES),4) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only '$(ONLY)')

.PHONY: suites
suites: build peers-node ## questions of TPC-H, H2O's db-benchmark, ClickBench, dialects, everyday work, Parquet (STORED=parquet) and JSON beside DuckDB, at SCALE, in PAIRS; SUITE=reviews QUERY=q1,q2 STORED=json LIMIT=256MiB (needs Node)
	@mkdir -p $(OUT)
	cd bench/peers && node suites.mjs --analyzer $(abspath $(BIN)) --scale $(SCALE) --pairs $(PAIRS) $(if $(SUITE),--suite $(SUITE)) $(if $(QUERY),--query $(QUERY)) $(if $(STORED),--stored $(STORED)) $(if $(LIMIT),--memory $(LIMIT)) \
		--data $(abspath $(OUT))/suites --out $(abspath $(OUT))/suites.json

.PHONY: scoreboard
scoreboard: build peers-built broker data ## count how much comes out right of what others wrote or would recognise, into docs/scoreboard.md (needs Node)
	bench/peers/peers scoreboard --peer-dir bench/peers --analyzer $(abspath $(BIN)) --data $(abspath $(OUT))/data --out $(OUT)/scoreboard.json
	bench/peers/peers report --scoreboard $(OUT)/scoreboard.json --page docs/scoreboard.md

.PHONY: golden-sql
golden-sql: build peers-node ## record DuckDB's answers to random statements anew, which tests without DuckDB hold (needs Node)
	cd bench/peers && node statements.mjs --analyzer $(abspath $(BIN)) --seed 20 --count 1000 --golden ../../compose/engine/testdata/statements.jsonl

.PHONY: image
image: build ## make a Docker image of the program, IMAGE
	rm -rf $(OUT)/image && mkdir -p $(OUT)/image/state && cp $(BIN) $(OUT)/image
	docker build --quiet --tag $(IMAGE) --file compose/cluster/deploy/Dockerfile $(OUT)/image

.PHONY: compose-test
compose-test: ## try the Compose file for real, with Docker: three of each, killed one after another
	@compose/cluster/deploy/install-docker.sh
	@$(MAKE) --no-print-directory image
	@compose/cluster/deploy/try.sh

.PHONY: peers-node
peers-node:
	cd bench/peers && { [ -d node_modules/chdb ] || npm install --no-save; }

.PHONY: peers-built
peers-built: peers-node
	go build -o bench/peers ./bench/peers && go build -o bench/peers/plaincsv ./bench/peers/plaincsv

need-data = if [ -z "$(DATA)" ]; then echo "set DATA to a directory that holds movies, steam and books; make data makes one"; exit 2; fi

.PHONY: data
data: build ## generate all data sets at SCALE into out/data
	@for dataset in movies steam books; do $(BIN) generate $$dataset --scale $(SCALE) --output $(OUT)/data/$$dataset || exit; done

.PHONY: fmt
fmt: ## format all Go files
	$(TOOL) gofumpt -w .

.PHONY: install
install: build ## install the program, its manual page and completions below PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/analyzer
	$(BIN) man >$(DESTDIR)$(PREFIX)/share/man/man1/analyzer.1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN) completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/analyzer
	$(BIN) completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_analyzer
	$(BIN) completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/analyzer.fish

.PHONY: site
site: build $(OUT)/mermaid/package/dist/mermaid.tiny.js ## the documentation as a site, with a search, into out/site (drawings stay texts without Node)
	docs/site/reference.sh $(BIN) $(OUT)/reference
	go run $(HUGO) --config docs/site/hugo.toml --destination $(OUT)/site --cleanDestinationDir --noBuildLock --panicOnWarning --quiet

# What draws the pictures that pages describe, in the reader's browser. Without it the site is whole, but
# for its drawings, and the next make site tries again.
$(OUT)/mermaid/package/dist/mermaid.tiny.js:
	@mkdir -p $(@D)
	@cd $(OUT)/mermaid && npm pack --silent $(MERMAID) 2>/dev/null | xargs -r tar xzf && test -e '$(CURDIR)/$@' || \
		echo 'npm is missing, or cannot fetch $(MERMAID): drawings stay texts'

.PHONY: clean
clean: ## remove what was built and measured
	rm -rf bin $(OUT) bench/peers/peers bench/peers/plaincsv/plaincsv
