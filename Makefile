# Two commands for a newcomer: `make check` judges the ledger, `make test` runs the tests. Each sets up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Without bytecode every worker of pytest compiles the package and rewrites the assertions of all tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: check test test-all lint site bench bench-quick alien portability portability-today clean
check: $(STAMP)
	$(BIN)/tightrope check

# Of the long cases those that are due today (tests/README.md); `make test-all` runs them all, in half an hour.
test: $(STAMP)
	$(MAKE) --jobs=2 lint portability-today
	$(BIN)/pytest -n auto --dist worksteal --due today

test-all: $(STAMP)
	$(BIN)/pytest -n auto --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The manual as pages to browse, in build/site; warnings are errors. (The variable silences an announcement of the theme.)
site: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the manual: build/site/index.html"

# Score the judge on claims by hands that had not read it (tests/alien/README.md). Takes long.
alien: $(STAMP)
	$(BIN)/python tests/alien/score.py all --jobs 2

# The same verdicts on other processors, threads, locales, paths and terminals (docs/portability.md). Takes about an hour.
portability: $(STAMP)
	$(BIN)/python -m tests.portability

portability-today: $(STAMP)
	$(BIN)/python -m tests.portability --slice --today

bench: $(STAMP)
	$(BIN)/tightrope bench asv

# Micro-benchmarks of the core, in half a minute.
bench-quick: $(STAMP)
	$(BIN)/pytest tests/speed/test_core.py --benchmark-enable --benchmark-only --benchmark-columns=min,median,rounds

# Half of the time of an installation is the bytecode of modules that nobody imports: Python writes that of the others,
# here, as a shell that forbids it would start torch from its sources each time, in twice the time.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tightrope needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile -c constraints.txt -e '.[dev]'
	$(BIN)/python -c 'import harness.cli.judging'
	@touch $(STAMP)

clean:
	rm -rf $(VENV) .asv build *.egg-info
