# The two commands of the README are `make run` and `make test`.
SHELL := /bin/bash
.DEFAULT_GOAL := help

GO       ?= go
PROGRAM  := bin/promptuary
SOURCES  := $(shell find cmd internal -name '*.go' -o -name '*.sql' -o -name '*.html') go.mod go.sum
N        ?= 200000
FUZZTIME ?= 5s
GOLANGCI := bin/tools/golangci-lint
GOLANGCI_VERSION := v2.6.0

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: build
build: $(PROGRAM) ## Build bin/promptuary

$(PROGRAM): $(SOURCES)
	$(GO) build -trimpath -o $@ ./cmd/promptuary

.PHONY: run
run: build ## Build, then serve on 127.0.0.1:8080 with the data in ./data
	$(PROGRAM) serve

.PHONY: setup
setup: ## Install what the tests need and the machine lacks
	./scripts/setup-tests

.PHONY: test
test: setup build ## Run every test: set-up, checks, unit, conformance, end to end, short fuzzing
	./scripts/test

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
	rm -rf bin test/e2e/node_modules
