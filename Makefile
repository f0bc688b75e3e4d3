# make demo   everything from a fresh Debian 12 with Go to a page-buffer sweep
# make test   every test, those against a real Firebird included
# make dist   packages for every system, in dist/
# Others: build, firebird, firebird-4.0, postgres, tools, lint, cross, test-long, profile-loader,
# record-grids, record-aa.

export CGO_ENABLED ?= 1
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
PLATFORMS = linux/amd64 linux/arm64 windows/amd64 darwin/amd64 darwin/arm64

# Where Debian trixie's Firebird 4.0 is unpacked, once, for tests on a second version.
CACHE = $(if $(filter 0,$(shell id -u)),/var/cache,$(or $(XDG_CACHE_HOME),$(HOME)/.cache))
FIREBIRD_40 ?= $(CACHE)/fbtune/firebird-4.0
export FBTUNE_TEST_ROOTS ?= $(FIREBIRD_40)

NFPM = github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4
VERSION ?= $(or $(patsubst v%,%,$(shell git describe --tags --exact-match 2>/dev/null)),$(shell git log -1 --date=format:%Y%m%d --format=0.1.0~%cd.%h))

.PHONY: dist build firebird firebird-4.0 postgres tools demo test test-long profile-loader record-grids record-aa lint cross

build:
	CGO_ENABLED=0 go build -o bin/fbtune ./cmd/fbtune

firebird:
	@internal/firebird/debian/install.sh

firebird-4.0:
	@internal/firebird/debian/unpack-4.0.sh $(FIREBIRD_40)

tools:
	@.ci/tools

postgres:
	@tuner/study/postgrestest/install.sh

dist:
	go run ./internal/dist -version '$(VERSION)' -nfpm $(NFPM)

demo: firebird build
	bin/fbtune probe
	bin/fbtune recommend
	bin/fbtune sweep --quick --param DefaultDbCachePages --values 256,512,768,1024,1500,2048 --modes Classic,SuperClassic --blocks 3 --duration 5s

# Where nothing is shared between goroutines but by what the other packages test,
# and where simulations, searches and the measured load take many times as long
# under the race detector.
PLAIN = ./cmd/fbtune ./confgen/... ./internal/fbconf ./internal/report ./templates ./tuner ./tuner/search/... ./tuner/stats/...
RACED = $(filter-out $(shell go list $(PLAIN)),$(shell go list ./...))

# Tests that only make test-long runs: faults and comparisons of which make test
# runs another of the kind, on one version of Firebird.
LONGER = KilledSweepOnAService|InterruptedSweepOnAService|TestSweepOnAService/4|BenchOLTPCompares|CtrlCInATerminal|InterruptedBenchRows|TestBenchRowsConnect/4|KilledGrowth|TestWays
test: SKIP = -skip '$(LONGER)'

# The packages take turns, so that those that measure do not disturb each other.
test: TIMEOUT = 9m
test test-long: firebird firebird-4.0 postgres tools
	go test -p 1 -timeout $(TIMEOUT) $(SKIP) $(PLAIN)
	go test -race -timeout $(TIMEOUT) -run 'Worker|Paus|Skip|Hands' ./tuner
	go test -race -p 1 -timeout $(TIMEOUT) $(SKIP) $(RACED)

# The full counts of every test; takes hours.
test-long: export FBTUNE_LONG = 1
test-long: TIMEOUT = 240m

# What the samplers and the statistics are judged by, measured here: an hour each
# on a machine that does nothing else. Cut short, they go on where they were.
record-grids: firebird
	go run ./tuner/record -grids tuner/search/replay/testdata/grids.csv
	go run ./tuner/search/benchmark tuner/search/replay/testdata/grids.csv

record-aa: firebird
	rm -f tuner/stats/testdata/aa-trials.csv
	go run ./tuner/record -aa 48 tuner/stats/testdata/aa-trials.csv

# The ways to load, and the loader beside isql and gbak (docs/loader.md); an hour.
profile-loader: firebird firebird-4.0
	FBTUNE_LONG=1 go test -v -timeout 60m -run TestWays ./workload
	go run ./internal/firebird/againstisql
	go run ./internal/firebird/againstisql -firebird-root $(FIREBIRD_40)

lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...

cross:
	@for platform in $(PLATFORMS); do \
		echo "build $$platform"; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go build -o /dev/null ./cmd/fbtune && \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go vet ./... || exit 1; \
	done
