# lifestats: `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo build dependencies test test-browser lint format bench bench-peers oracle torture fuzz sanitize \
	install uninstall clean

PREFIX ?= /usr/local

RELEASE := -c release
ifeq ($(shell uname -s),Darwin)
# Homebrew keeps these two out of the default search path.
BREW := $(shell brew --prefix 2>/dev/null)
export PKG_CONFIG_PATH := $(BREW)/opt/libarchive/lib/pkgconfig:$(BREW)/opt/sqlite/lib/pkgconfig:$(PKG_CONFIG_PATH)
else
# The binary runs without a Swift toolchain.
RELEASE += --static-swift-stdlib
endif

BINARY := .build/release/lifestats
DEMO := demo
SOURCES := Sources Tests Package.swift

help: ## says what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies:
	@.make/dependencies.sh

build: dependencies ## builds the release binary, .build/release/lifestats
	@swift build $(RELEASE) --product lifestats

demo: build ## ingests samples/, prints where the time went, draws the diagram
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@$(BINARY) ingest samples --db $(DEMO)/lifestats.db --no-progress
	@echo
	@echo "How long each state lasts:"
	@$(BINARY) query dwell_times --db $(DEMO)/lifestats.db
	@echo
	@echo "Which state follows which:"
	@$(BINARY) query transition_counts --db $(DEMO)/lifestats.db
	@$(BINARY) diagram --db $(DEMO)/lifestats.db -o $(DEMO)/app.svg
	@echo
	@echo "The picture: $(CURDIR)/$(DEMO)/app.svg"
	@echo "The database: $(CURDIR)/$(DEMO)/lifestats.db"

test: dependencies ## runs every test
	@swift build --build-tests
	@swift test --skip-build

.PHONY: test-browser
test-browser: build ## uses reports in a headless Chromium; BROWSER_CALLBACKS=10000000 for a large one
	@Tests/browser/run.sh $(BINARY) $(or $(BROWSER_CALLBACKS),100000)

lint: ## checks the formatting of the Swift sources
	@swift format lint --strict --parallel --recursive $(SOURCES)
	@for script in .make/*.sh; do bash -n "$$script"; done
	@python3 -m compileall -q Tests/scripts && rm -rf Tests/scripts/__pycache__
	@echo "lint: nothing to mend"

format: ## formats the Swift sources
	@swift format --in-place --parallel --recursive $(SOURCES)

bench: build ## measures ingest and queries against yardsticks; BENCH_SCALE=full for 10 M lines and 2 GB
	@Tests/scripts/bench.py --lifestats $(BINARY) --scale $(or $(BENCH_SCALE),modest)

install: build ## installs the command under PREFIX, /usr/local by default
	@install -d "$(DESTDIR)$(PREFIX)/bin"
	@install -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/lifestats"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/lifestats"

uninstall: ## removes the command from PREFIX
	@rm -f "$(DESTDIR)$(PREFIX)/bin/lifestats"

clean: ## removes what was built and the demo
	@swift package clean
	@rm -rf $(DEMO)
