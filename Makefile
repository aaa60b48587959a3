# The two commands of the README are `make run` and `make test`.
SHELL := /bin/bash
.DEFAULT_GOAL := help

GO       ?= go
PROGRAM  := bin/promptuary
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null)
SOURCES  := $(shell find cmd internal -path internal/ui/dist -prune -o -type f -not -name '*_test.go' -print) go.mod go.sum
NPM      := $(shell command -v npm 2>/dev/null)
WEB      := internal/ui/dist/index.html
WEB_SOURCES := $(shell find web/src web/public -type f -not -name schema.d.ts) web/index.html web/vite.config.ts web/package-lock.json
N        ?= 200000
FUZZTIME ?= 5s
GOLANGCI := bin/tools/golangci-lint
GOLANGCI_VERSION := v2.6.0

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: build
build: $(PROGRAM) ## Build bin/promptuary with the web app; without npm it has none

$(PROGRAM): $(SOURCES) $(if $(NPM),$(WEB)) bin/version
	$(GO) build -trimpath -ldflags '-X main.version=$(VERSION)' -o $@ ./cmd/promptuary

# bin/version changes only with the version, so that a new one links the
# program again.
.PHONY: force
bin/version: force
	@mkdir -p bin
	@echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' >$@

.PHONY: web
web: $(WEB) ## Build the web app into internal/ui/dist

$(WEB): $(WEB_SOURCES) web/src/api/schema.d.ts
	rm -rf internal/ui/dist/*
	cd web && npm run --silent build -- --logLevel warn

# The types of the web app's client come from the API's own document. It is
# kept when it stays the same, so that not every change of the program means a
# new build of the app.
web/openapi.json: $(SOURCES)
	$(GO) run ./cmd/promptuary openapi >$@.new
	cmp -s $@.new $@ && rm $@.new || mv $@.new $@

web/src/api/schema.d.ts: web/openapi.json web/node_modules/.package-lock.json
	cd web && npm run --silent generate

# Not `npm ci`: npm 11 refuses a lock file that leaves out what other systems
# need of the build tools, as one written where those are not served does.
web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm install --no-save --loglevel=error
	touch $@

.PHONY: run
run: build ## Build, then serve on 127.0.0.1:8080 with the data in ./data
	$(PROGRAM) serve

.PHONY: setup
setup: ## Install what the tests need and the machine lacks
	./scripts/setup-tests

.PHONY: test
test: setup ## Run every test: set-up, checks, unit, conformance, end to end, in a browser, short fuzzing
	$(MAKE) build # in a make of its own: it finds what the set-up has installed
	./scripts/test

.PHONY: screenshots
screenshots: setup ## Take the screenshots of the documentation anew
	$(MAKE) build
	PROMPTUARY_SCREENSHOTS=$(abspath docs/images) PROMPTUARY_TEST_PROGRAM=$(abspath $(PROGRAM)) $(GO) test -count=1 -timeout 10m -run TestWebApp ./test/e2e

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME
	FUZZTIME=$(FUZZTIME) ./scripts/fuzz

.PHONY: bench
bench: build ## Measure against bare engines with N logs (N=200000)
	$(GO) run ./test/bench -program $(PROGRAM) -n $(N)

.PHONY: lint
lint: $(GOLANGCI) ## Run golangci-lint
	$(GOLANGCI) run ./...

$(GOLANGCI):
	GOBIN=$(abspath bin/tools) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

.PHONY: clean
clean: ## Remove what was built; data stays
	rm -rf bin internal/ui/dist/* web/openapi.json web/src/api/schema.d.ts web/node_modules test/e2e/node_modules
