# Everything a fresh clone needs is set up by the targets themselves; see scripts/setup.sh.

BIN := .venv/bin
# Two for each core: measured with one and a half, the cores were idle for four tenths of the time.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) * 2)))
# Arguments for pytest: make test ARGS="-k roadmap -x"
ARGS ?=
# Without the flags of this make, which a test that calls make would follow.
PLAIN := env -u MAKEFLAGS
SPREAD = -n $(JOBS) --dist worksteal $(ARGS)
PYTEST = $(PLAIN) $(BIN)/pytest $(SPREAD)
LONG := -o faulthandler_timeout=3600
# Whatever the environment says: without its cache of compiled files every worker compiles all tests by itself.
export PYTHONDONTWRITEBYTECODE :=

CHECKS := lint format types contracts names
# All of them, whichever fails.
SIDE_BY_SIDE := $(MAKE) --no-print-directory --keep-going --jobs

.DEFAULT_GOAL := help
.PHONY: help demo test quick check liars strangers chaos soak bench pictures manual lock clean runtime dev agents languages
.PHONY: checks $(CHECKS) all-tests few-tests

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: runtime  ## build a sample project in a temporary folder and run its whole roadmap
	@$(BIN)/autopilot demo

test: dev agents languages  ## make check and the tests: all, or a sample of the day where there are very many
	@$(SIDE_BY_SIDE) checks all-tests

quick: dev  ## every few minutes: make check, the unit tests with few examples, the house in order
	@$(SIDE_BY_SIDE) checks few-tests

check: dev  ## lint, format, types, import contracts, dead names
	@$(SIDE_BY_SIDE) checks

checks:  # what each says stays in one piece; the tests beside them show their progress as it comes
	@$(MAKE) --output-sync=target $(CHECKS)

lint:
	$(BIN)/ruff check .

format:
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy

contracts:
	$(BIN)/lint-imports

names:
	$(BIN)/python scripts/dead_names.py

all-tests:  # the few that fail beside others are run once more by themselves
	$(PLAIN) $(BIN)/python scripts/run_tests.py $(SPREAD)

# These hardly wait: one process more would only read all tests once more.
few-tests: JOBS := $(shell nproc 2>/dev/null || echo 2)
few-tests:
	AUTOPILOT_QUICK=1 $(PYTEST) tests/unit tests/tidy

liars: dev languages  ## every lie and every honest work of the suite, naive check beside ours, as a table
	@$(BIN)/python -m tests.liars.table --all --families 60 --jobs $(JOBS) $(ARGS)

strangers: dev languages  ## the first hour on thirty public packages: init, doctor, honest work, a lie, as a table
	@$(BIN)/python -m tests.strangers.table $(ARGS)

chaos: dev agents languages  ## the long tests, whole: crashes at every append, 300 kills, every agent, attack, old bug, many liars
	AUTOPILOT_CHAOS=chaos $(PYTEST) $(LONG) tests/chaos tests/agents tests/contract tests/liars tests/tidy/test_patterns.py \
		tests/scenario/issues/test_issues.py tests/scenario/stopping/test_night.py \
		tests/scenario/trust/test_lies.py tests/scenario/trust/test_evidence_interrupted.py \
		tests/unit/events/test_codec.py tests/unit/model/test_spellings.py tests/unit/planning/test_hostile_text.py

soak: dev agents  ## the crash tests at full length: 1,000 kills
	AUTOPILOT_CHAOS=soak $(PYTEST) $(LONG) tests/chaos

bench: runtime agents  ## every benchmark; each prints its figure and goal last
	@set -e; for script in bench/*.py; do [ -e "$$script" ] || continue; $(BIN)/python "$$script"; done

pictures: dev languages  ## the pictures of README anew, from one run of the demo: its terminal, autopilot watch, the page
	@$(BIN)/python -m scripts.pictures

manual: runtime  ## the manual page, as build/autopilot.1
	@mkdir -p build && $(BIN)/autopilot help --man >build/autopilot.1

lock:  ## write the lock files anew; make lock ARGS=--upgrade for newer versions
	scripts/lock.sh $(ARGS)

clean:  ## remove the virtual environment, the agents and all caches
	rm -rf .venv .agents .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

runtime dev agents languages:
	@scripts/setup.sh $@
