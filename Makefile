# The main targets are `make run` and `make test`; `make check` is for each commit.
SHELL := /bin/bash
.DEFAULT_GOAL := help

GO       ?= go
PROGRAM  := bin/promptuary
VERSION  := $(shell sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)
SOURCES  := $(shell find cmd internal -path internal/ui/dist -prune -o -type f -not -name '*_test.go' -print) go.mod go.sum
NPM      := $(shell command -v npm 2>/dev/null)
WEB      := internal/ui/dist/index.html
WEB_SOURCES := $(shell find web/src web/public -type f -not -name schema.d.ts -not -name vocabulary.ts) web/index.html web/docs.html web/vite.config.ts web/vite.docs.config.ts web/package-lock.json
N        ?= 200000
LOGS     ?= duckdb
SPANS    ?= 1000000
FUZZTIME ?= 5s
KILLS    ?= 10000
FLIPS    ?= 1000
POSTGRES ?= 1000
PAIRS    ?= 100
TRIOS    ?= 100
EVERY    ?= 8
SEED     ?= 1
PACKAGES ?= ./...
FROM     ?= 0
GOLANGCI_VERSION := v2.6.0
GOLANGCI := bin/tools/golangci-lint-$(GOLANGCI_VERSION)
VALE_VERSION := v3.21.0
VALE     := bin/tools/vale-$(VALE_VERSION)

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: build
build: $(PROGRAM) ## Build bin/promptuary, with the web app if npm is installed

# Without -trimpath, which releases have, so that what the tests have compiled is
# used, and without symbols, as releases: a panic prints its stack all the same.
$(PROGRAM): $(SOURCES) $(if $(NPM),$(WEB)) bin/version
	$(GO) build -ldflags '-s -w -X main.version=$(VERSION)' -o $@ ./cmd/promptuary

# bin/version changes only with the version, so that a new version relinks the
# program.
.PHONY: force
bin/version: force
	@mkdir -p bin
	@echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' >$@

.PHONY: web
web: $(WEB) ## Build the web app into internal/ui/dist

$(WEB): $(WEB_SOURCES) web/src/api/schema.d.ts web/src/step/vocabulary.ts web/src/query/vocabulary.ts
	rm -rf internal/ui/dist/*
	cd web && npm run --silent build -- --logLevel warn

# The types of the web app's client and the vocabulary of its queries are
# generated from the OpenAPI document. An unchanged document keeps its
# modification time, so that the app is not rebuilt.
web/openapi.json: $(SOURCES)
	$(GO) run ./cmd/promptuary openapi >$@.new
	cmp -s $@.new $@ && rm $@.new || mv $@.new $@

web/src/api/schema.d.ts: web/openapi.json web/node_modules/.package-lock.json
	cd web && npm run --silent generate:types

web/src/query/vocabulary.ts: web/openapi.json web/scripts/vocabulary.mjs
	cd web && npm run --silent generate:vocabulary

web/src/step/vocabulary.ts: web/openapi.json web/scripts/step-types.mjs
	cd web && node scripts/step-types.mjs

# Not `npm ci`: npm 11 rejects a lock file without the build tools of other
# platforms, which the registry used to write it may not serve.
web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm install --no-save --loglevel=error
	touch $@

.PHONY: run
run: build ## Build, then serve on 127.0.0.1:8080 with the data in ./data
	$(PROGRAM) serve

.PHONY: setup
setup: ## Install missing tools that the tests need
	./scripts/setup-tests

.PHONY: check
check: ## Check what has changed since main, before a commit: types, lint, and the tests that a change can reach
	./scripts/check

.PHONY: test
test: ## Run every test once: unit, conformance, end to end, in a browser, with official clients
	./scripts/test

.PHONY: test-deep
test-deep: ## Run what takes long: linters, race detector, faults, fuzzing
	./scripts/test-deep

.PHONY: compile
compile: ## Compile the program, for the tests
	$(GO) build ./internal/... ./cmd/...

.PHONY: test-web
test-web: $(WEB) ## Check the types of the web app, and run its unit tests
	cd web && npm run --silent check:types && npm run --silent test

.PHONY: lint-web
lint-web: $(WEB) ## Check the style of the web app
	cd web && npm run --silent check:style

.PHONY: screenshots
screenshots: setup ## Retake the screenshots of the documentation
	$(MAKE) build
	PROMPTUARY_SCREENSHOTS=$(abspath docs/images) PROMPTUARY_TEST_PROGRAM=$(abspath $(PROGRAM)) $(GO) test -count=1 -timeout 10m -run TestWebApp ./test/e2e

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME
	FUZZTIME=$(FUZZTIME) ./scripts/fuzz

.PHONY: fault
fault: build ## Inject KILLS faults with SQLite, POSTGRES with PostgreSQL, PAIRS into two servers, TRIOS into three, damage FLIPS files, chosen by SEED
	PROMPTUARY_TEST_PROGRAM=$(abspath $(PROGRAM)) $(GO) test -count=1 -timeout 0 -v ./test/fault -kills $(KILLS) -postgres $(POSTGRES) -pairs $(PAIRS) -trios $(TRIOS) -every $(EVERY) -flips $(FLIPS) -seed $(SEED) -from $(FROM)

.PHONY: fault-each
fault-each: build ## Inject every fault of a running program once, and a few others
	./scripts/gotest -count=1 ./test/fault

.PHONY: race
race: ## Run the tests with the race detector
	./scripts/race

.PHONY: bench
bench: build ## Compare with bare engines, using N logs (N=200000) and SPANS spans (SPANS=1000000), with LOGS=clickhouse too
	$(GO) run ./test/bench -program $(PROGRAM) -n $(N) -spans $(SPANS) -logs $(LOGS)

.PHONY: release
release: web ## Build archives, bills of materials and checksums of a release into dist
	./scripts/release

.PHONY: lint
lint: $(GOLANGCI) ## Run golangci-lint on PACKAGES (./...)
	$(GOLANGCI) run $(PACKAGES)

$(GOLANGCI):
	GOBIN=$(abspath bin/tools) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv bin/tools/golangci-lint $@

.PHONY: prose
prose: $(VALE) ## Check the wording of documentation, comments and texts with Vale
	rm -rf bin/prose
	$(GO) run ./scripts/prose bin/prose
	$(VALE) --config scripts/prose/vale.ini --glob='*.{md,go,txt}' README.md CONTRIBUTING.md docs cmd internal scripts bin/prose

$(VALE):
	GOBIN=$(abspath bin/tools) $(GO) install github.com/vale-cli/vale/v3/cmd/vale@$(VALE_VERSION)
	mv bin/tools/vale $@

.PHONY: clean
clean: ## Remove build output; keep data
	rm -rf bin dist internal/ui/dist/* web/openapi.json web/src/api/schema.d.ts web/src/step/vocabulary.ts web/src/query/vocabulary.ts web/node_modules test/clickhouse/node_modules test/deploy/node_modules test/e2e/node_modules test/telemetry/node_modules
