# `make` alone lists what can be made.

SHELL   := bash
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GO      := go
TOOL    := $(GO) tool -modfile=$(CURDIR)/tools/go.mod
PYTHON  ?= /usr/bin/python3
LDFLAGS := -s -w -X quern/app.Version=$(VERSION)
ARCHS   ?= amd64 arm64
comma   := ,
space   := $(subst ,, )

# Where Go's own instructions put it, for shells that were not told.
export PATH := $(PATH):/usr/local/go/bin

ifneq ($(filter-out help clean,$(MAKECMDGOALS)),)
ifeq ($(shell PATH="$(PATH)" command -v $(GO)),)
$(error Go is not installed. Get it from https://go.dev/dl (version $(shell sed -n 's/^go //p' go.mod) or newer) and put it on PATH)
endif
endif

.DEFAULT_GOAL := help
.PHONY: help run build test check unchanged contract lint fmt generate bench bench-compare growth e2e e2e-big e2e-neighbours e2e-trino e2e-upgrade e2e-packages soak release clean deps notices console console-same screenshots

help: ## list the targets
	@echo 'Quern grinds files into datasets that people and agents can question.'; echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  \033[1mmake %-15s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build all and start a server in ./quern-data; the first start makes a login (ARGS="--listen …")
	@bin/quern serve --first-user ada $(ARGS)

build: ## build bin/quern
	@scripts/need gcc
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/quern ./cmd/quern

test: deps ## install what the tests need and run them all
	$(GO) build -C test/s3gateway -o /dev/null ./...
	$(GO) build -C test/icebergreader -o /dev/null ./...
	$(GO) build -C tools/disk -o /dev/null ./...
	$(GO) vet -tags soak ./test/soak
	$(GO) vet -tags growth ./bench
	$(GO) vet -tags upgrade ./test/e2e
	$(GO) test -C tools/contract ./...
	$(GO) test -C tools/release ./...
	$(GO) test -C learned ./...
	cd learned/train && PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m unittest
	test/with-postgres $(GO) test -timeout 30m $$($(GO) list ./... | grep -v /test/e2e)
	test/with-postgres $(GO) test -timeout 30m ./test/e2e/...

check: ## what a change must pass: generate, format, contract, lint, test, and nothing left to commit
	@$(MAKE) --no-print-directory generate fmt console-same unchanged
	@$(MAKE) --no-print-directory contract lint
	@$(MAKE) --no-print-directory test unchanged

unchanged:
	@[ -z "$$(git status --porcelain)" ] || { git status --short; git --no-pager diff --stat; \
		echo "make check: commit what is new, and what generate and fmt changed" >&2; exit 1; }

contract: ## fail when the contract breaks clients of the released one and api/breaks.md does not say why
	$(GO) run -C tools/contract . $(CURDIR)/api/released.yaml $(CURDIR)/api/openapi.yaml $(CURDIR)/api/breaks.md

lint: ## run the linters over the code
	@scripts/need gcc
	$(GO) vet ./...
	$(TOOL) golangci-lint run --allow-parallel-runners
	for module in learned tools/contract tools/release; do (cd $$module && $(TOOL) golangci-lint run --allow-parallel-runners) || exit 1; done

fmt: ## format the code
	@gofmt -l -w $$(git ls-files --cached --others --exclude-standard '*.go')

generate: ## make the generated files again
	@scripts/need gcc
	$(GO) generate ./...

console: ## build the page into web/console/dist, and the types of clients/typescript; the only thing that needs node
	@scripts/need node
	@scripts/npm clients/typescript web/console
	cd clients/typescript && npm run --silent generate
	cd web/console && npm run --silent format && npm run --silent build

console-same: console
	@built=$$(mktemp -d) && trap "rm -rf $$built" EXIT && cp -r web/console/dist/. $$built && (cd web/console && npm run --silent build) \
		&& diff -r $$built web/console/dist || { echo "make check: the page is built with other bytes each time" >&2; exit 1; }

screenshots: build ## make the pictures of the README and the landing page again
	@scripts/need chromium node
	@scripts/npm test/console
	node test/console/screenshots.mjs bin/quern

bench: deps ## measure the packages, then the binary against what it stands on: a table (ROWS=regexp: only these rows of it; docs/benchmarks.md)
	$(if $(ROWS),,test/with-postgres $(GO) test -run '^$$' -bench . -benchmem $$($(GO) list ./... | grep -v '^quern/bench$$'))
	QUERN_TEST_POSTGRES_FSYNC=on test/with-postgres $(GO) test -count 1 -timeout 60m -run '^$$' -bench '$(or $(ROWS),.)' -benchtime 1x ./bench

bench-compare: deps ## measure the binary of another revision and of this one in turn, and compare (REV=main ROWS=regexp ROUNDS=6)
	@scripts/bench-compare '$(REV)' '$(or $(ROWS),.)' '$(or $(ROUNDS),6)'

SHRINK ?= 1
growth: ## measure a server while rows, datasets, ingests and users grow, into docs/growth.md; 15 GB of disk, an hour (SHRINK=100 tries it out, PART=datasets measures those alone)
	@scripts/need gcc
	$(GO) test -count 1 -tags growth -timeout 12h -run '^$$' -bench 'Growth$(if $(PART),/$(PART))' -benchtime 1x ./bench -shrink $(SHRINK)

e2e: deps ## run the tests of the binary only
	test/with-postgres $(GO) test -count 1 -timeout 14m ./test/e2e/...

e2e-big: ## upload 5 GiB cut off and resumed; ingest 1 GiB of CSV, and a line of 2 GB, in little memory
	test/with-postgres $(GO) test -count 1 -tags big -run "TestBig|TestLine" -timeout 90m ./test/e2e

e2e-neighbours: ## run the binary beside MinIO, Spark, DuckDB's Iceberg extension, Iceberg's own catalog, Arize Phoenix, Keycloak, an OpenTelemetry collector, A2A's Python client, Jupyter, LangChain, Airflow, a language model and Python 3.13; gets 3 GB of them
	@scripts/need gcc java mvn python3 chromium node debootstrap
	@scripts/npm test/console
	@scripts/venv clients/python test/opentable test/neighbours test/neighbours/phoenix test/neighbours/a2a test/neighbours/recipes test/neighbours/airflow test/neighbours/model
	@test/neighbours/install
	$(GO) test -count 1 -tags neighbours -run TestNeighbour -timeout 90m ./test/e2e

e2e-trino: ## run large queries on a Trino cluster of three nodes, and dbt and Superset beside one; gets 2 GB of them
	@scripts/need gcc mvn python3
	@scripts/venv test/trino/dbt test/trino/superset
	@test/trino/install
	$(GO) test -count 1 -tags trino -timeout 60m -v ./test/trino
	$(GO) test -count 1 -tags trino -run TestTrino -timeout 30m ./test/e2e

e2e-upgrade: ## replace servers of the schema version before, one after the other, under load; builds them from the history
	@scripts/need gcc postgres
	test/with-postgres $(GO) test -count 1 -tags upgrade -run TestRollingUpgrade -timeout 30m -v ./test/e2e

SOAK ?= 1h
soak: ## hold servers to what they acknowledged while everything fails around them; needs root, FUSE and control groups (SOAK=1h SEED=… PAUSE=150ms)
	@scripts/need gcc postgres
	test/with-postgres $(GO) test -count 1 -tags soak -timeout 24h -v ./test/soak -soak $(SOAK) $(if $(SEED),-seed $(SEED)) $(if $(PAUSE),-pause $(PAUSE))

release: ## make the archives, packages, image, SBOMs and checksums of a release in dist (ARCHS="amd64 arm64")
	@scripts/need gcc $(if $(findstring arm64,$(ARCHS)),aarch64-linux-gnu-g++)
	$(GO) run -C tools/release . -root $(CURDIR) -out $(CURDIR)/dist -version $(VERSION) -arch $(subst $(space),$(comma),$(strip $(ARCHS)))

e2e-packages: ## compare two releases; use the package in a bare Debian, and the image; check chart and compose file; needs root and a mirror
	@scripts/need gcc aarch64-linux-gnu-g++ debootstrap rpm man
	$(GO) test -C tools/deploy -count 1 ./...
	$(GO) test -C tools/release -count 1 -tags packages -timeout 120m -v ./...

notices: ## write THIRD_PARTY_NOTICES.md from the modules in the binary
	scripts/notices

deps: ## install the system, npm and Python packages that tests need
	@scripts/need gcc postgres chromium node curl python3 torch
	@scripts/npm test/oidc test/a2a test/console test/mcp clients/typescript
	@scripts/venv test/datalinks test/schemathesis test/opentable test/mcp clients/python

clean: ## remove what was built; data stay
	rm -rf bin dist
